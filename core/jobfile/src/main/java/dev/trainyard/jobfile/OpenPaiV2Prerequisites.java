package dev.trainyard.jobfile;

import dev.trainyard.model.ImageReference;
import dev.trainyard.model.Message;
import dev.trainyard.model.Prerequisite;
import dev.trainyard.model.RuntimePlugin;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code prerequisites}: images, scripts, data and outputs by name, unique per type. */
final class OpenPaiV2Prerequisites {
  private static final Set<String> TYPES = Set.of(Prerequisite.IMAGE, "script", "data", "output");
  private static final int MAX_SHORT_TEXT = 1024;

  private final Map<String, Prerequisite> known = new LinkedHashMap<>();

  /** Names of prerequisites with an invalid type; references to them are not reported again. */
  private final Set<String> untyped = new HashSet<>();

  private final Map<String, Prerequisite> byName = new HashMap<>();
  private final Fields document;

  private OpenPaiV2Prerequisites(Fields document) {
    this.document = document;
  }

  static OpenPaiV2Prerequisites read(Fields document, Problems problems) {
    OpenPaiV2Prerequisites all = new OpenPaiV2Prerequisites(document);
    Optional<Located> value = document.find("prerequisites");
    if (value.isPresent()) {
      if (value.get() instanceof Located.Items items && items.values().isEmpty()) {
        document.tell("prerequisites", Message.of("jobfile.list-empty"));
      }
      Fields.tables(document.path("prerequisites"), value.get(), problems).forEach(all::readOne);
    }
    return all;
  }

  List<Prerequisite> list() {
    return List.copyOf(known.values());
  }

  Optional<Prerequisite> find(String type, String name) {
    return Optional.ofNullable(known.get(key(type, name)));
  }

  /** Finds a prerequisite of any type. */
  Optional<Prerequisite> findAny(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** Reports that roles quote prerequisites too often, so that the stored job gets too long. */
  void tooLong() {
    document.tell("prerequisites", Message.of("jobfile.template-long"));
  }

  boolean mayBe(String type, String name) {
    return known.containsKey(key(type, name)) || untyped.contains(name);
  }

  boolean mayBe(String name) {
    return TYPES.stream().anyMatch(type -> mayBe(type, name));
  }

  private static String key(String type, String name) {
    return type + ' ' + name;
  }

  private void readOne(Fields fields) {
    Optional<String> name = fields.requiredText("name", MAX_SHORT_TEXT);
    Optional<String> type = fields.requiredText("type", MAX_SHORT_TEXT);
    if (type.isPresent() && !TYPES.contains(type.get())) {
      Message message =
          Message.of("jobfile.prerequisite-type", "found", Excerpt.quoted(type.get()));
      fields.tell("type", message);
    }
    if (type.isEmpty() || !TYPES.contains(type.get())) {
      name.ifPresent(untyped::add);
      return;
    }
    switch (type.get()) {
      case Prerequisite.IMAGE -> image(fields);
      case "data" -> data(fields);
      default -> fields.text("uri", JobFiles.MAX_LENGTH);
    }
    if (name.isEmpty()) {
      return;
    }
    OpenPaiV2Plugins.name(fields.plain().get("plugin"))
        .filter(plugin -> !RuntimePlugin.KNOWN.contains(plugin))
        .ifPresent(
            plugin ->
                fields.warn(
                    "plugin", Message.of("jobfile.plugin-unknown", "name", Excerpt.of(plugin))));
    Prerequisite read = new Prerequisite(type.get(), name.get(), fields.plain());
    byName.putIfAbsent(name.get(), read);
    if (known.putIfAbsent(key(type.get(), name.get()), read) != null) {
      Message taken = Message.of("jobfile.prerequisite-taken", "name", Excerpt.quoted(name.get()));
      fields.tell("name", taken.with("type", type.get()));
    }
  }

  private static void data(Fields fields) {
    Optional<Located> uri = fields.find("uri");
    if (uri.isPresent() && !isEmptyList(uri.get())) {
      fields.texts("uri");
    }
  }

  private static boolean isEmptyList(Located value) {
    return value instanceof Located.Items items && items.values().isEmpty();
  }

  private void image(Fields fields) {
    Optional<String> uri = fields.requiredText("uri", MAX_SHORT_TEXT);
    if (uri.isPresent() && !NameRules.isImage(uri.get())) {
      fields.tell("uri", Message.of("jobfile.image", "found", Excerpt.quoted(uri.get())));
    } else if (uri.isPresent() && ImageReference.parse(uri.get()).isEmpty()) {
      fields.warn("uri", Message.of(JobFiles.IMAGE_NAME, "found", Excerpt.quoted(uri.get())));
    }
    OpenPaiV2.version(fields);
    fields.text("contributor", JobFiles.MAX_LENGTH);
    fields.text("description", JobFiles.MAX_LENGTH);
    OpenPaiV2.protocolVersion(fields);
    fields.fields("auth").ifPresent(OpenPaiV2Prerequisites::auth);
    fields.rejectUnknown();
  }

  private static void auth(Fields fields) {
    fields.text("username", MAX_SHORT_TEXT);
    fields.text("registryuri", MAX_SHORT_TEXT);
    Optional<String> password = fields.text(Document.PASSWORD, JobFiles.MAX_LENGTH);
    if (password.filter(Passwords::isClear).isPresent()) {
      fields.warn(Document.PASSWORD, Message.of("jobfile.password-clear"));
    }
    fields.warnUnknown();
  }
}
