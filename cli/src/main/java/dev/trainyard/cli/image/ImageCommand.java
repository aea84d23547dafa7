package dev.trainyard.cli.image;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Localizer;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code image}: manages the images on the node and the image catalog. */
@picocli.CommandLine.Command(name = "image", aliases = "images")
public final class ImageCommand extends Command {
  private static final String CATALOG = "/api/v3/images";
  private static final String LOCAL = "/api/v3/local-images";

  public ImageCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    return list();
  }

  @picocli.CommandLine.Command(name = "ls")
  int list() {
    Json response = api().read(LOCAL);
    if (session().json()) {
      terminal().line(new Json(response.at("images").value()).pretty());
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(
                text("cli.column.image"),
                text("cli.column.size"),
                text("cli.column.created"),
                text("cli.column.architecture"),
                text("cli.column.image-state")));
    long now = System.currentTimeMillis();
    for (Json image : response.list("images")) {
      table.addRow(
          Cell.of(image.string("reference")),
          Cell.of(Localizer.bytes(image.number("size"))),
          Cell.of(localizer().ago(image.number("created"), now)),
          Cell.of(image.string("architecture")),
          Cell.of(image.isTrue("inUse") ? text("cli.image.in-use") : ""));
    }
    terminal().print(table.render(terminal()));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "pull")
  int pull(@Parameters(paramLabel = "IMAGE", descriptionKey = "image") String reference) {
    Json image = ImageOperation.run(session(), LOCAL + "/pull", Map.of("reference", reference));
    return report(image, "cli.image.pulled", reference);
  }

  @picocli.CommandLine.Command(name = "rm")
  int remove(@Parameters(paramLabel = "IMAGE", descriptionKey = "image") String reference) {
    api().delete(LOCAL + "?reference=" + ApiClient.encode(reference));
    return report(new Json(Map.of()), "cli.image.removed", reference);
  }

  @picocli.CommandLine.Command(name = "build")
  int build(
      @Parameters(paramLabel = "DIR", descriptionKey = "build-directory") String directory,
      @Mixin BuildOptions options)
      throws InterruptedException {
    return new Build(session(), directory, options).run();
  }

  @picocli.CommandLine.Command(name = "search")
  int search(
      @Parameters(arity = "0..*", paramLabel = "WORD", descriptionKey = "image-words")
          List<String> searchWords) {
    String query = searchWords == null ? "" : String.join(" ", searchWords);
    Json response = api().read(CATALOG + "?search=" + ApiClient.encode(query));
    if (session().json()) {
      terminal().line(new Json(response.at("images").value()).pretty());
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(
                text("cli.column.name"),
                text("cli.column.image"),
                text("cli.column.framework"),
                text("cli.column.tags"),
                text("cli.column.image-state"),
                text("cli.column.availability"),
                text("cli.column.description")));
    for (Json image : response.list("images")) {
      table.addRow(
          Cell.of(image.string("name")),
          Cell.of(image.string("reference")),
          Cell.of(image.string("framework")),
          Cell.of(
              image.list("tags").stream()
                  .map(tag -> String.valueOf(tag.value()))
                  .collect(Collectors.joining(","))),
          Cell.of(state(image)),
          Cell.of(localizer().enumText("cli.image.availability", image.string("availability"))),
          Cell.of(description(image)));
    }
    terminal().print(table.render(terminal()));
    return ExitCode.OK;
  }

  private String state(Json image) {
    String state = localizer().enumText("cli.image.state", image.string("state"));
    state = image.isTrue("changed") ? text("cli.image.changed", "state", state) : state;
    String note = image.string("note");
    return note.isEmpty() ? state : state + ": " + note;
  }

  @picocli.CommandLine.Command(name = "propose")
  int propose(
      @Parameters(index = "0", paramLabel = "NAME", descriptionKey = "image-name") String name,
      @Parameters(index = "1", paramLabel = "IMAGE", descriptionKey = "image") String reference,
      @Option(names = "--description", paramLabel = "TEXT") String description,
      @Option(names = "--framework", paramLabel = "NAME") String framework,
      @Option(names = "--tag", paramLabel = "TAG", split = ",") List<String> tags) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put("reference", reference);
    fields.put("description", description == null ? "" : description);
    fields.put("framework", framework == null ? "" : framework);
    fields.put("tags", tags == null ? List.of() : tags);
    Json created = api().post(CATALOG, fields);
    boolean approved = created.string("state").equals("APPROVED");
    return report(created, approved ? "cli.image.added" : "cli.image.proposed", name);
  }

  @picocli.CommandLine.Command(name = "approve")
  int approve(
      @Parameters(paramLabel = "NAME", descriptionKey = "image-name") String name,
      @Option(names = "--note", paramLabel = "TEXT", descriptionKey = "image-note") String note) {
    return decide(name, note, "approve", "cli.image.approved");
  }

  @picocli.CommandLine.Command(name = "reject", aliases = "refuse")
  int reject(
      @Parameters(paramLabel = "NAME", descriptionKey = "image-name") String name,
      @Option(names = "--note", paramLabel = "TEXT", descriptionKey = "image-note") String note) {
    return decide(name, note, "refuse", "cli.image.refused");
  }

  private int decide(String name, String note, String action, String code) {
    String path = CATALOG + "/" + ApiClient.encode(name) + "/" + action;
    return report(api().post(path, Map.of("note", note == null ? "" : note)), code, name);
  }

  @picocli.CommandLine.Command(name = "forget")
  int forget(@Parameters(paramLabel = "NAME", descriptionKey = "image-name") String name) {
    api().delete(CATALOG + "/" + ApiClient.encode(name));
    return report(new Json(Map.of()), "cli.image.forgotten", name);
  }

  private int report(Json response, String code, String image) {
    terminal().line(session().json() ? response.pretty() : text(code, "image", image));
    return ExitCode.OK;
  }
}
