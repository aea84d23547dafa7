package dev.trainyard.server.image;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Fields;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.image.CatalogEntry.ReviewedImage;
import dev.trainyard.server.image.CatalogEntry.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /api/v3/images}: the image catalog. */
final class CatalogRoutes {
  private static final int MAX_TEXT_LENGTH = 2000;
  private static final int MAX_WORD_LENGTH = 64;
  private static final int MAX_TAGS = 20;

  private final Catalog catalog;
  private final NodeImageResolver imageResolver;

  CatalogRoutes(Catalog catalog, NodeImageResolver imageResolver) {
    this.catalog = catalog;
    this.imageResolver = imageResolver;
  }

  void addTo(Routes routes) {
    routes.add("GET", "/api/v3/images", Access.USER, this::list);
    routes.add("POST", "/api/v3/images", Access.USER, this::add);
    routes.add("GET", "/api/v3/images/:image", Access.USER, this::show);
    routes.add("DELETE", "/api/v3/images/:image", Access.USER, this::delete);
    routes.add(
        "POST",
        "/api/v3/images/:image/approve",
        Access.ADMIN,
        request -> review(request, State.APPROVED));
    routes.add(
        "POST",
        "/api/v3/images/:image/refuse",
        Access.ADMIN,
        request -> review(request, State.REFUSED));
  }

  private Object list(Request request) {
    List<CatalogEntry> entries = catalog.list(request.caller(), request.query("search").orElse(""));
    Map<String, String> ids = entries.isEmpty() ? Map.of() : imageResolver.ids();
    return Map.of(
        "images",
        entries.stream()
            .map(entry -> view(entry, Optional.ofNullable(ids.get(entry.reference()))))
            .toList());
  }

  private Object show(Request request) {
    return view(catalog.load(request.caller(), request.path("image")));
  }

  private Map<String, Object> view(CatalogEntry entry) {
    return view(entry, ImageReference.parse(entry.reference()).flatMap(imageResolver::id));
  }

  private Map<String, Object> view(CatalogEntry entry, Optional<String> currentId) {
    Map<String, Object> view = entry.view();
    view.put("presentId", currentId.orElse(null));
    view.put("changed", entry.hasChanged(currentId));
    view.put("availability", entry.availability(imageResolver.engineSupportsImages(), currentId));
    return view;
  }

  private Reply add(Request request) {
    Caller caller = request.caller();
    Fields fields = new Fields(request.json());
    String name = fields.text("name");
    String reference = fields.text("reference");
    String description = fields.optionalText("description", MAX_TEXT_LENGTH).orElse("");
    String framework = fields.optionalText("framework", MAX_WORD_LENGTH).orElse("");
    List<String> tags = fields.optionalTexts("tags", MAX_TAGS).orElse(List.of());
    Optional<ImageReference> parsed = ImageReference.parse(reference);
    if (!name.isEmpty() && !CatalogEntry.isName(name)) {
      fields.addProblem("name", Message.of("error.catalogue-name", "name", name));
    }
    if (!reference.isEmpty() && parsed.isEmpty()) {
      fields.addProblem("reference", Message.of("error.image-name", "image", reference));
    }
    if (tags.stream().anyMatch(tag -> tag.isBlank() || tag.length() > MAX_WORD_LENGTH)) {
      fields.addProblem("tags", Message.of("error.field-long", "longest", MAX_WORD_LENGTH));
    }
    fields.check();
    CatalogEntry entry =
        new CatalogEntry(
            name,
            parsed.orElseThrow().toString(),
            description,
            framework,
            tags,
            caller.admin() ? State.APPROVED : State.PROPOSED,
            caller.userId(),
            caller.userName(),
            "",
            caller.admin()
                ? imageResolver.reviewedImage(parsed.orElseThrow())
                : ReviewedImage.NONE);
    return Reply.of(201, view(catalog.add(caller, Actor.of(request), entry)));
  }

  private Object review(Request request, State state) {
    Fields fields = new Fields(request.json());
    String note = fields.optionalText("note", MAX_TEXT_LENGTH).orElse("");
    Optional<String> expectedId = fields.optionalText("imageId", MAX_TEXT_LENGTH);
    fields.check();
    CatalogEntry before = catalog.load(request.caller(), request.path("image"));
    ReviewedImage reviewedImage =
        ImageReference.parse(before.reference())
            .map(imageResolver::reviewedImage)
            .orElse(ReviewedImage.NONE);
    if (expectedId.filter(id -> !id.equals(reviewedImage.id())).isPresent()) {
      throw new AppException(
          ErrorCode.CONFLICT, Message.of("error.catalogue-image-changed", "name", before.name()));
    }
    return view(catalog.review(Actor.of(request), before.name(), state, note, reviewedImage));
  }

  private Reply delete(Request request) {
    catalog.delete(request.caller(), Actor.of(request), request.path("image"));
    return Reply.noContent();
  }
}
