package dev.trainyard.engine.docker;

import com.github.dockerjava.api.model.ContainerConfig;
import com.github.dockerjava.api.model.ExposedPort;
import dev.trainyard.model.ImageSettings;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Converts Docker's description of an image to {@link ImageSettings}. */
final class ImageSettingsConverter {
  private ImageSettingsConverter() {}

  /**
   * @param config Docker's description; null for an image without settings
   */
  static ImageSettings of(ContainerConfig config) {
    if (config == null) {
      return ImageSettings.NONE;
    }
    Map<String, String> environment = new LinkedHashMap<>();
    for (String line : listOf(config.getEnv())) {
      String name = variableName(line);
      environment.put(name, line.substring(Math.min(line.length(), name.length() + 1)));
    }
    ExposedPort[] ports = config.getExposedPorts();
    Map<String, ?> volumes = config.getVolumes();
    return new ImageSettings(
        environment,
        Optional.ofNullable(config.getUser()).orElse(""),
        Optional.ofNullable(config.getWorkingDir()).orElse(""),
        listOf(config.getEntrypoint()),
        listOf(config.getCmd()),
        Optional.ofNullable(config.getLabels()).orElse(Map.of()),
        ports == null ? List.of() : Arrays.stream(ports).map(ExposedPort::toString).toList(),
        volumes == null ? List.of() : List.copyOf(volumes.keySet()),
        "",
        List.of());
  }

  static String variableName(String line) {
    int equals = line.indexOf('=');
    return equals < 0 ? line : line.substring(0, equals);
  }

  private static List<String> listOf(String[] values) {
    return values == null ? List.of() : List.of(values);
  }
}
