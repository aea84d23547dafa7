package dev.trainyard.engine.docker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.ImageException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The settings of an image as Dockerfile instructions, one per line, as Podman expects them. Podman
 * does not support instructions for a health check and a shell, so the base image determines both.
 */
final class CommitChanges {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private CommitChanges() {}

  /**
   * @param config in the format of Docker
   */
  static List<String> of(Map<String, Object> config) {
    List<String> lines = new ArrayList<>();
    for (Object variable : (List<?>) config.getOrDefault("Env", List.of())) {
      String name = SettingsText.name(variable.toString());
      String value = variable.toString().substring(name.length() + 1);
      lines.add("ENV " + name + "=" + quoted(value));
    }
    lines.add("ENTRYPOINT " + json(config.getOrDefault("Entrypoint", List.of())));
    lines.add("CMD " + json(config.getOrDefault("Cmd", List.of())));
    ((Map<?, ?>) config.getOrDefault("Labels", Map.of()))
        .forEach((name, value) -> lines.add("LABEL " + name + "=" + quoted(value.toString())));
    addText(lines, "USER", config.get("User"));
    addText(lines, "WORKDIR", config.get("WorkingDir"));
    for (Object port : ((Map<?, ?>) config.getOrDefault("ExposedPorts", Map.of())).keySet()) {
      lines.add("EXPOSE " + port);
    }
    for (Object volume : ((Map<?, ?>) config.getOrDefault("Volumes", Map.of())).keySet()) {
      lines.add("VOLUME " + json(List.of(volume)));
    }
    addText(lines, "STOPSIGNAL", config.get("StopSignal"));
    for (String line : lines) {
      if (line.indexOf('\n') >= 0) {
        throw new ImageException(
            Kind.OTHER,
            "Podman does not support line breaks: " + line.lines().findFirst().orElse(""));
      }
    }
    return lines;
  }

  private static void addText(List<String> lines, String word, Object value) {
    if (value != null && !value.toString().isEmpty()) {
      lines.add(word + " " + value);
    }
  }

  /** Adds a pair of quotation marks to a quoted value, because Podman removes one. */
  private static String quoted(String value) {
    return value.startsWith("\"") && value.endsWith("\"") ? "\"" + value + "\"" : value;
  }

  private static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
