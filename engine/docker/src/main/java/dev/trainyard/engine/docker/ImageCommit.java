package dev.trainyard.engine.docker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.ContainerConfig;
import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.ImageException.Kind;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.ImageSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Creates an image from a container's files. The new image gets the settings of the container's
 * image, not the settings of the container: the wrapper process, the labels and the variables of
 * the task (which may include a token) must not be part of the new image. Docker adds the
 * container's settings unless they are overridden, so they are overridden with empty values.
 */
final class ImageCommit {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Variables for which the container's value is used, because an empty value would be worse. */
  private static final Set<String> KEPT_VARIABLES =
      Set.of("HOME", "PATH", "HOSTNAME", "TERM", "LANG");

  private final DockerConnection connection;
  private final DockerClient client;

  ImageCommit(DockerConnection connection) {
    this.connection = connection;
    this.client = connection.client();
  }

  void commit(
      String container,
      ImageReference target,
      Map<String, String> labels,
      UnaryOperator<ImageSettings> change) {
    InspectContainerResponse inspected = inspect(container);
    ContainerConfig imageConfig = client.inspectImageCmd(inspected.getImageId()).exec().getConfig();
    ContainerConfig containerConfig = inspected.getConfig();
    Map<String, Object> config =
        config(
            imageConfig,
            containerConfig,
            change.apply(ImageSettingsConverter.of(imageConfig)),
            labels);
    String path =
        "/commit?container=%s&repo=%s&tag=%s&pause=1%s"
            .formatted(
                query(container), query(target.name()), query(target.tag()), changes(config));
    Response response = post(path, json(config));
    if (response.status() != 201) {
      throw ImageErrors.of(response.message());
    }
  }

  /** Returns the settings as query parameters for Podman, which ignores the request body. */
  private String changes(Map<String, Object> config) {
    return connection.isPodman()
        ? CommitChanges.of(config).stream()
            .map(line -> "&changes=" + query(line))
            .collect(Collectors.joining())
        : "";
  }

  private InspectContainerResponse inspect(String container) {
    try {
      return client.inspectContainerCmd(container).exec();
    } catch (NotFoundException e) {
      throw new ImageException(Kind.OTHER, "the task no longer has a container", e);
    }
  }

  private record Response(int status, String body) {
    String message() {
      try {
        return JSON.readTree(body).path("message").asText("commit failed");
      } catch (JsonProcessingException e) {
        return "commit failed with " + status;
      }
    }
  }

  /** Sends a request without the library, because the library omits empty values. */
  private Response post(String path, byte[] body) {
    String header =
        "POST /v%s%s HTTP/1.0\r\nHost: docker\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            .formatted(connection.version().getApiVersion(), path, body.length);
    try (SocketChannel channel =
        SocketChannel.open(UnixDomainSocketAddress.of(connection.socket()))) {
      OutputStream out = Channels.newOutputStream(channel);
      out.write(header.getBytes(StandardCharsets.US_ASCII));
      out.write(body);
      String text =
          new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
      int status = Integer.parseInt(text.substring("HTTP/1.x ".length(), "HTTP/1.x 200".length()));
      return new Response(status, text.substring(text.indexOf("\r\n\r\n") + 4));
    } catch (IOException | RuntimeException e) {
      throw new ImageException(Kind.ENGINE_UNAVAILABLE, "the Docker engine does not respond", e);
    }
  }

  private static Map<String, Object> config(
      ContainerConfig imageConfig,
      ContainerConfig containerConfig,
      ImageSettings settings,
      Map<String, String> labels) {
    Map<String, String> allLabels = new HashMap<>();
    containerConfig.getLabels().keySet().forEach(label -> allLabels.put(label, ""));
    allLabels.putAll(settings.labels());
    allLabels.putAll(labels);
    boolean noCommand = settings.entrypoint().isEmpty() && settings.command().isEmpty();
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("Env", environment(settings, containerConfig));
    config.put("Entrypoint", settings.entrypoint());
    config.put("Cmd", noCommand ? List.of("/bin/sh") : settings.command());
    config.put("Labels", allLabels);
    // Docker would replace an empty user with the user of the container.
    config.put("User", settings.user().isEmpty() ? "0" : settings.user());
    config.put("WorkingDir", settings.workingDirectory());
    config.put("ExposedPorts", emptyObjects(settings.ports()));
    config.put("Volumes", emptyObjects(settings.volumes()));
    if (!settings.stopSignal().isEmpty()) {
      config.put("StopSignal", settings.stopSignal());
    }
    if (!settings.shell().isEmpty()) {
      config.put("Shell", settings.shell());
    }
    if (imageConfig.getHealthcheck() != null) {
      config.put("Healthcheck", imageConfig.getHealthcheck());
    }
    return config;
  }

  private static byte[] json(Map<String, Object> config) {
    try {
      return JSON.writeValueAsBytes(config);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, Object> emptyObjects(List<String> names) {
    Map<String, Object> objects = new LinkedHashMap<>();
    names.forEach(name -> objects.put(name, Map.of()));
    return objects;
  }

  private static List<String> environment(ImageSettings settings, ContainerConfig containerConfig) {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String line :
        containerConfig.getEnv() == null ? new String[0] : containerConfig.getEnv()) {
      String name = ImageSettingsConverter.variableName(line);
      if (!KEPT_VARIABLES.contains(name)) {
        variables.put(name, name + "=");
      }
    }
    settings.environment().forEach((name, value) -> variables.put(name, name + "=" + value));
    return new ArrayList<>(variables.values());
  }

  private static String query(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
