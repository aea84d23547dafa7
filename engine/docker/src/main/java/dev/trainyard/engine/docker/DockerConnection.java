package dev.trainyard.engine.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.Version;
import com.github.dockerjava.core.DefaultDockerClientConfig;
import com.github.dockerjava.core.DockerClientImpl;
import com.github.dockerjava.core.RemoteApiVersion;
import com.github.dockerjava.zerodep.ZerodepDockerHttpClient;
import dev.trainyard.engine.EngineException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A connection to a Docker engine on this host, or to a compatible engine at a socket. It
 * determines the API version of the engine first and then uses it for every request: old engines do
 * not support the version of the library, and new engines reject requests that do not specify a
 * version that they support.
 */
public final class DockerConnection implements AutoCloseable {
  public static final String DOCKER = "docker";
  public static final String PODMAN = "podman";

  /** Timeout of the first request; an engine that hangs must not block the start of the server. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /**
   * Additional timeout for an engine that responds to a ping: it is running, but on a busy host it
   * takes long to start the programs whose versions it reports.
   */
  private static final Duration BUSY_TIMEOUT = Duration.ofSeconds(60);

  private static final int MAX_CONNECTIONS = 512;

  private final Path socket;
  private final DockerClient client;
  private final Version version;

  private DockerConnection(Path socket, DockerClient client, Version version) {
    this.socket = socket;
    this.client = client;
    this.version = version;
  }

  /**
   * @throws EngineException with the reason if no engine responds at the socket
   */
  public static DockerConnection open(Path socket) {
    return open(socket, CONNECT_TIMEOUT);
  }

  static DockerConnection open(Path socket, Duration timeout) {
    // The request runs in a separate thread, because the library has no read timeout for such a
    // socket.
    CompletableFuture<Version> versionFuture = new CompletableFuture<>();
    DockerClient probeClient = client(socket, RemoteApiVersion.unknown());
    Thread.ofVirtual().start(() -> requestVersion(probeClient, versionFuture));
    Version version;
    try {
      version = await(versionFuture, socket, timeout);
    } catch (TimeoutException e) {
      throw unreachableException(socket, "it does not respond", e);
    } catch (ExecutionException e) {
      throw unreachableException(socket, e.getCause().getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreachableException(socket, "the server is shutting down", e);
    }
    RemoteApiVersion apiVersion = RemoteApiVersion.parseConfig(version.getApiVersion());
    return new DockerConnection(socket, client(socket, apiVersion), version);
  }

  private static Version await(
      CompletableFuture<Version> versionFuture, Path socket, Duration timeout)
      throws InterruptedException, ExecutionException, TimeoutException {
    try {
      return versionFuture.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      if (DockerPing.failure(socket).isPresent()) {
        throw e;
      }
      return versionFuture.get(BUSY_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private static void requestVersion(
      DockerClient client, CompletableFuture<Version> versionFuture) {
    try (client) {
      versionFuture.complete(client.versionCmd().exec());
    } catch (IOException | RuntimeException e) {
      // The library wraps socket errors in exceptions without a specific type.
      versionFuture.completeExceptionally(e);
    }
  }

  private static EngineException unreachableException(Path socket, String reason, Exception cause) {
    return new EngineException("no Docker engine responds at " + socket + ": " + reason, cause);
  }

  private static DockerClient client(Path socket, RemoteApiVersion apiVersion) {
    DefaultDockerClientConfig config =
        DefaultDockerClientConfig.createDefaultConfigBuilder()
            .withDockerHost("unix://" + socket)
            .withDockerTlsVerify(false)
            .withApiVersion(apiVersion)
            .build();
    return DockerClientImpl.getInstance(
        config,
        new ZerodepDockerHttpClient.Builder()
            .dockerHost(config.getDockerHost())
            .maxConnections(MAX_CONNECTIONS)
            .build());
  }

  public Path socket() {
    return socket;
  }

  DockerClient client() {
    return client;
  }

  /** Returns the version that the engine reports. */
  Version version() {
    return version;
  }

  /**
   * Returns {@link #DOCKER} or {@link #PODMAN}; the two engines do not see each other's containers.
   */
  public String engine() {
    return isPodman() ? PODMAN : DOCKER;
  }

  /** Returns whether the engine remaps the user IDs of containers (userns-remap, rootless). */
  public boolean remapsUserIds() {
    List<String> options = client.infoCmd().exec().getSecurityOptions();
    return options != null
        && options.stream().anyMatch(o -> o.contains("userns") || o.contains("rootless"));
  }

  /**
   * Returns whether the engine is Podman, whose socket is compatible with Docker's but differs in
   * details.
   */
  boolean isPodman() {
    return version.getComponents() != null
        && version.getComponents().stream()
            .anyMatch(component -> String.valueOf(component.getName()).contains("Podman"));
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
