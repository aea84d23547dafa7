package dev.trainyard.jobfile;

import dev.trainyard.model.ImageReference;
import dev.trainyard.model.Message;
import dev.trainyard.model.Prerequisite;
import dev.trainyard.model.RuntimePlugin;
import dev.trainyard.model.TaskPath;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads {@code prerequisites}: images, scripts, data and outputs, whose names are unique for each
 * type.
 */
final class OpenPaiV2Prerequisites {
  private static final Set<String> TYPES =
      Set.of(Prerequisite.IMAGE, "script", "data", Prerequisite.OUTPUT);
  private static final int MAX_SHORT_TEXT = 1024;

  private final Map<String, Prerequisite> byTypeAndName = new LinkedHashMap<>();

  /** Names of prerequisites with an invalid type; references to them are not reported again. */
  private final Set<String> invalidTypeNames = new HashSet<>();

  private final Map<String, Prerequisite> byName = new HashMap<>();

  /** The fields of each output, for warnings. */
  private final Map<Prerequisite, Fields> outputs = new LinkedHashMap<>();

  private final Fields document;

  private OpenPaiV2Prerequisites(Fields document) {
    this.document = document;
  }

  static OpenPaiV2Prerequisites read(Fields document, Problems problems) {
    OpenPaiV2Prerequisites prerequisites = new OpenPaiV2Prerequisites(document);
    Optional<DocumentValue> value = document.find("prerequisites");
    if (value.isPresent()) {
      if (value.get() instanceof DocumentValue.Items items && items.values().isEmpty()) {
        document.report("prerequisites", Message.of("jobfile.list-empty"));
      }
      Fields.readObjects(document.path("prerequisites"), value.get(), problems)
          .forEach(prerequisites::readPrerequisite);
    }
    return prerequisites;
  }

  List<Prerequisite> list() {
    return List.copyOf(byTypeAndName.values());
  }

  /** Returns the outputs in the order of the file, with their fields. */
  Map<Prerequisite, Fields> outputs() {
    return outputs;
  }

  Optional<Prerequisite> find(String type, String name) {
    return Optional.ofNullable(byTypeAndName.get(key(type, name)));
  }

  /** Finds a prerequisite of any type. */
  Optional<Prerequisite> findAny(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** Reports that the stored job gets too long because roles refer to prerequisites too often. */
  void reportTooLong() {
    document.report("prerequisites", Message.of("jobfile.template-long"));
  }

  boolean mayExist(String type, String name) {
    return byTypeAndName.containsKey(key(type, name)) || invalidTypeNames.contains(name);
  }

  boolean mayExist(String name) {
    return TYPES.stream().anyMatch(type -> mayExist(type, name));
  }

  private static String key(String type, String name) {
    return type + ' ' + name;
  }

  private void readPrerequisite(Fields fields) {
    Optional<String> name = fields.requiredText("name", MAX_SHORT_TEXT);
    Optional<String> type = fields.requiredText("type", MAX_SHORT_TEXT);
    if (type.isPresent() && !TYPES.contains(type.get())) {
      Message message =
          Message.of("jobfile.prerequisite-type", "found", Excerpt.quoted(type.get()));
      fields.report("type", message);
    }
    if (type.isEmpty() || !TYPES.contains(type.get())) {
      name.ifPresent(invalidTypeNames::add);
      return;
    }
    switch (type.get()) {
      case Prerequisite.IMAGE -> checkImage(fields);
      case "data" -> checkDataUri(fields);
      default -> fields.text("uri", JobFiles.MAX_LENGTH);
    }
    if (name.isEmpty()) {
      return;
    }
    OpenPaiV2Plugins.name(fields.plain().get("plugin"))
        .filter(plugin -> !RuntimePlugin.KNOWN_NAMES.contains(plugin))
        .ifPresent(
            plugin ->
                fields.warn(
                    "plugin", Message.of("jobfile.plugin-unknown", "name", Excerpt.of(plugin))));
    Map<String, Object> values = new LinkedHashMap<>(fields.plain());
    if (type.get().equals(Prerequisite.OUTPUT) && isAbsent(values.get("uri"))) {
      values.put("uri", TaskPath.DEFAULT_OUTPUT);
    }
    Prerequisite prerequisite = new Prerequisite(type.get(), name.get(), values);
    if (type.get().equals(Prerequisite.OUTPUT)) {
      outputs.put(prerequisite, fields);
    }
    byName.putIfAbsent(name.get(), prerequisite);
    if (byTypeAndName.putIfAbsent(key(type.get(), name.get()), prerequisite) != null) {
      Message duplicateMessage =
          Message.of("jobfile.prerequisite-taken", "name", Excerpt.quoted(name.get()));
      fields.report("name", duplicateMessage.with("type", type.get()));
    }
  }

  private static boolean isAbsent(Object uri) {
    return uri == null || uri.equals("");
  }

  private static void checkDataUri(Fields fields) {
    Optional<DocumentValue> uri = fields.find("uri");
    if (uri.isPresent() && !isEmptyList(uri.get())) {
      fields.texts("uri");
    }
  }

  private static boolean isEmptyList(DocumentValue value) {
    return value instanceof DocumentValue.Items items && items.values().isEmpty();
  }

  private void checkImage(Fields fields) {
    Optional<String> uri = fields.requiredText("uri", MAX_SHORT_TEXT);
    if (uri.isPresent() && !NameRules.isImage(uri.get())) {
      fields.report("uri", Message.of("jobfile.image", "found", Excerpt.quoted(uri.get())));
    } else if (uri.isPresent() && ImageReference.parse(uri.get()).isEmpty()) {
      fields.warn("uri", Message.of(JobFiles.IMAGE_NAME, "found", Excerpt.quoted(uri.get())));
    }
    OpenPaiV2.checkVersion(fields);
    fields.text("contributor", JobFiles.MAX_LENGTH);
    fields.text("description", JobFiles.MAX_LENGTH);
    OpenPaiV2.checkProtocolVersion(fields);
    fields.fields("auth").ifPresent(OpenPaiV2Prerequisites::checkAuth);
    fields.rejectUnknown();
  }

  private static void checkAuth(Fields fields) {
    fields.text("username", MAX_SHORT_TEXT);
    fields.text("registryuri", MAX_SHORT_TEXT);
    Optional<String> password = fields.text(Document.PASSWORD, JobFiles.MAX_LENGTH);
    if (password.filter(Passwords::isPlainText).isPresent()) {
      fields.warn(Document.PASSWORD, Message.of("jobfile.password-clear"));
    }
    fields.warnUnknown();
  }
}
