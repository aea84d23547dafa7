package dev.trainyard.server.template;

import dev.trainyard.model.Message;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The templates that are part of the server: example files of the project, added by the build. */
final class BuiltInTemplates {
  private static final Map<String, String> FILES = new LinkedHashMap<>();

  static {
    FILES.put("hello", "hello.json");
    FILES.put("digits", "digits.yaml");
    FILES.put("parameter-server", "parameter-server.yaml");
  }

  private BuiltInTemplates() {}

  static List<Template> all() {
    return FILES.keySet().stream().flatMap(id -> find(id).stream()).toList();
  }

  static Optional<Template> find(String id) {
    return Optional.ofNullable(FILES.get(id))
        .map(file -> new Template(id, id, description(id).english(), text(file), Optional.empty()));
  }

  static Message description(String id) {
    return Message.of("template." + id);
  }

  private static String text(String file) {
    try (InputStream in = BuiltInTemplates.class.getResourceAsStream("examples/" + file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
