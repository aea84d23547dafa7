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
 * The way to a Docker engine on this machine, or to whatever speaks its language at a socket. The
 * version of the language is asked first and then said with every request: old engines don't know
 * ours, and new ones refuse requests that name none they still know.
 */
public final class DockerConnection implements AutoCloseable {
  public static final String DOCKER = "docker";
  public static final String PODMAN = "podman";

  /** A socket whose engine hangs must not hang the server's start. */
  private static final Duration FIRST_PATIENCE = Duration.ofSeconds(5);

  /**
   * For an engine that answers a ping: it is present, but on a busy machine it takes long to start
   * the programs whose versions it reports.
   */
  private static final Duration BUSY_PATIENCE = Duration.ofSeconds(60);

  private static final int CONNECTIONS = 512;

  private final Path socket;
  private final DockerClient client;
  private final Version version;

  private DockerConnection(Path socket, DockerClient client, Version version) {
    this.socket = socket;
    this.client = client;
    this.version = version;
  }

  /**
   * @throws EngineException if no engine answers there, saying why
   */
  public static DockerConnection open(Path socket) {
    return open(socket, FIRST_PATIENCE);
  }

  static DockerConnection open(Path socket, Duration patience) {
    // In a thread of its own: the library knows no limit for what comes from such a socket.
    CompletableFuture<Version> answer = new CompletableFuture<>();
    DockerClient first = client(socket, RemoteApiVersion.unknown());
    Thread.ofVirtual().start(() -> ask(first, answer));
    Version version;
    try {
      version = await(answer, socket, patience);
    } catch (TimeoutException e) {
      throw unreachable(socket, "it does not answer", e);
    } catch (ExecutionException e) {
      throw unreachable(socket, e.getCause().getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreachable(socket, "the server is being stopped", e);
    }
    RemoteApiVersion language = RemoteApiVersion.parseConfig(version.getApiVersion());
    return new DockerConnection(socket, client(socket, language), version);
  }

  private static Version await(CompletableFuture<Version> answer, Path socket, Duration patience)
      throws InterruptedException, ExecutionException, TimeoutException {
    try {
      return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      if (DockerPing.failure(socket).isPresent()) {
        throw e;
      }
      return answer.get(BUSY_PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private static void ask(DockerClient client, CompletableFuture<Version> answer) {
    try (client) {
      answer.complete(client.versionCmd().exec());
    } catch (IOException | RuntimeException e) {
      // The library wraps what the socket says into exceptions of no type of its own.
      answer.completeExceptionally(e);
    }
  }

  private static EngineException unreachable(Path socket, String why, Exception cause) {
    return new EngineException("no Docker engine answers at " + socket + ": " + why, cause);
  }

  private static DockerClient client(Path socket, RemoteApiVersion language) {
    DefaultDockerClientConfig config =
        DefaultDockerClientConfig.createDefaultConfigBuilder()
            .withDockerHost("unix://" + socket)
            .withDockerTlsVerify(false)
            .withApiVersion(language)
            .build();
    return DockerClientImpl.getInstance(
        config,
        new ZerodepDockerHttpClient.Builder()
            .dockerHost(config.getDockerHost())
            .maxConnections(CONNECTIONS)
            .build());
  }

  public Path socket() {
    return socket;
  }

  DockerClient client() {
    return client;
  }

  /** What the engine says of itself. */
  Version version() {
    return version;
  }

  /** Who answers: containers of one are nothing to the other. */
  public String engine() {
    return isPodman() ? PODMAN : DOCKER;
  }

  /** Whether containers get other user ids than they ask for (userns-remap, rootless). */
  public boolean movesIds() {
    List<String> options = client.infoCmd().exec().getSecurityOptions();
    return options != null
        && options.stream().anyMatch(o -> o.contains("userns") || o.contains("rootless"));
  }

  /** Podman speaks Docker's language at its socket, and some things mean something else there. */
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
