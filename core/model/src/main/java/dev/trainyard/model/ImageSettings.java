package dev.trainyard.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Settings of an image for its containers. Strings, lists and maps that the image does not set are
 * empty.
 *
 * @param ports for example {@code 80/tcp}
 * @param shell interpreter of commands in shell form; empty for {@code /bin/sh -c}
 */
public record ImageSettings(
    Map<String, String> environment,
    String user,
    String workingDirectory,
    List<String> entrypoint,
    List<String> command,
    Map<String, String> labels,
    List<String> ports,
    List<String> volumes,
    String stopSignal,
    List<String> shell) {
  public static final ImageSettings NONE =
      new ImageSettings(
          Map.of(), "", "", List.of(), List.of(), Map.of(), List.of(), List.of(), "", List.of());

  public ImageSettings {
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    entrypoint = List.copyOf(entrypoint);
    command = List.copyOf(command);
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    ports = List.copyOf(ports);
    volumes = List.copyOf(volumes);
    shell = List.copyOf(shell);
  }
}
