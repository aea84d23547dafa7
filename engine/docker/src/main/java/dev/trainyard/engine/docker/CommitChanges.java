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
   * @param config settings in the format of the Docker API
   */
  static List<String> of(Map<String, Object> config) {
    List<String> lines = new ArrayList<>();
    for (Object variable : (List<?>) config.getOrDefault("Env", List.of())) {
      String name = ImageSettingsConverter.variableName(variable.toString());
      String value = variable.toString().substring(name.length() + 1);
      lines.add("ENV " + name + "=" + quote(value));
    }
    lines.add("ENTRYPOINT " + json(config.getOrDefault("Entrypoint", List.of())));
    lines.add("CMD " + json(config.getOrDefault("Cmd", List.of())));
    ((Map<?, ?>) config.getOrDefault("Labels", Map.of()))
        .forEach((name, value) -> lines.add("LABEL " + name + "=" + quote(value.toString())));
    addInstruction(lines, "USER", config.get("User"));
    addInstruction(lines, "WORKDIR", config.get("WorkingDir"));
    for (Object port : ((Map<?, ?>) config.getOrDefault("ExposedPorts", Map.of())).keySet()) {
      lines.add("EXPOSE " + port);
    }
    for (Object volume : ((Map<?, ?>) config.getOrDefault("Volumes", Map.of())).keySet()) {
      lines.add("VOLUME " + json(List.of(volume)));
    }
    addInstruction(lines, "STOPSIGNAL", config.get("StopSignal"));
    for (String line : lines) {
      if (line.indexOf('\n') >= 0) {
        throw new ImageException(
            Kind.OTHER,
            "Podman does not support line breaks: " + line.lines().findFirst().orElse(""));
      }
    }
    return lines;
  }

  private static void addInstruction(List<String> lines, String instruction, Object value) {
    if (value != null && !value.toString().isEmpty()) {
      lines.add(instruction + " " + value);
    }
  }

  /** Adds a pair of quotation marks to a quoted value, because Podman removes a pair. */
  private static String quote(String value) {
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
