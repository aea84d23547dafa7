package dev.trainyard.engine.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.LogConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts root helpers: containers with root privileges on the host, whose only program enters the
 * file system that the server sees and runs {@link RootHelperMain} there. The input of a root
 * helper is held open only by the server's connection: when the server ends, the root helper ends,
 * and then the engine removes it.
 */
final class RootHelperContainer {
  private static final Logger LOG = LoggerFactory.getLogger(RootHelperContainer.class);
  private static final Duration START_TIMEOUT = Duration.ofMinutes(1);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration REMOVE_TIMEOUT = Duration.ofSeconds(10);
  private static final long PAUSE_MILLIS = 20;
  private static final String ENTER_PROGRAM = "/enter";
  private static final String SHUTDOWN_MESSAGE = "the server is shutting down";

  /**
   * Capabilities in addition to the default ones: to enter namespaces, to mount, to access any
   * file, and to configure the firewall.
   */
  private static final Capability[] CAPABILITIES = {
    Capability.SYS_ADMIN, Capability.SYS_PTRACE, Capability.DAC_READ_SEARCH, Capability.NET_ADMIN
  };

  /**
   * Options that disable the default restrictions, which would prevent the use of the capabilities.
   */
  private static final List<String> SECURITY_OPTIONS =
      List.of("seccomp=unconfined", "apparmor=unconfined", "label=disable");

  private static final Pattern IMAGE_ID = Pattern.compile("sha256:[0-9a-f]{64}");

  private final DockerConnection connection;
  private final DockerClient docker;
  private final Labels labels;
  private final List<String> command;

  /** File that contains the ID of the root helper's image. */
  private final Path imageIdFile;

  /**
   * Runs the calls that start a root helper in threads that are never interrupted: the engine
   * completes a call whose caller was interrupted, and the ID of the new container would be
   * unknown.
   */
  private final ExecutorService startExecutor =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("root-helper-start").factory());

  /** Root helpers that are starting or running. */
  private final Set<Running> helpers = ConcurrentHashMap.newKeySet();

  private volatile boolean closed;

  /**
   * @param dataDirectory the server's data directory
   */
  RootHelperContainer(
      DockerConnection connection,
      Labels labels,
      Path dataDirectory,
      ServerAccount server,
      HostPrograms hostPrograms) {
    this.connection = connection;
    this.docker = connection.client();
    this.labels = labels;
    this.command = command(labels, dataDirectory, server, hostPrograms);
    this.imageIdFile = dataDirectory.resolve("docker/keeper-image");
  }

  private static List<String> command(
      Labels labels, Path dataDirectory, ServerAccount server, HostPrograms hostPrograms) {
    String classes =
        Arrays.stream(System.getProperty("java.class.path").split(":"))
            .map(path -> Path.of(path).toAbsolutePath().toString())
            .collect(Collectors.joining(":"));
    return List.of(
        Long.toString(ProcessHandle.current().pid()),
        Path.of(System.getProperty("java.home"), "bin/java").toString(),
        "-Xmx128m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        classes,
        RootHelperMain.class.getName(),
        dataDirectory.toString(),
        labels.serverId(),
        Integer.toString(server.user()),
        Integer.toString(server.group()),
        hostPrograms.searchPath());
  }

  /** A root helper that accepts requests until it is closed. */
  final class Running implements AutoCloseable {
    private final String container;
    private final RootHelperStreams streams;

    private Running(String container, RootHelperStreams streams) {
      this.container = container;
      this.streams = streams;
    }

    /** Sends one request at a time and returns the response. */
    String send(String request, Duration timeout) throws IOException {
      return streams.send(request, timeout);
    }

    @Override
    public void close() {
      streams.close();
      remove(container);
      helpers.remove(this);
    }
  }

  /**
   * Starts a root helper. If the caller is interrupted, the container is removed in the background;
   * {@link #close} waits for that.
   */
  Running start() throws IOException {
    CompletableFuture<Running> startFuture;
    try {
      startFuture = CompletableFuture.supplyAsync(this::startUnchecked, startExecutor);
    } catch (RejectedExecutionException e) {
      throw new IOException(SHUTDOWN_MESSAGE, e);
    }
    try {
      return startFuture.get();
    } catch (InterruptedException e) {
      var _ = startFuture.thenAccept(Running::close);
      Thread.currentThread().interrupt();
      throw new IOException(SHUTDOWN_MESSAGE, e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
  }

  private Running startUnchecked() {
    try {
      return startHelper();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private Running startHelper() throws IOException {
    String container = "";
    try {
      container = create();
      RootHelperStreams streams =
          new RootHelperStreams(HijackedConnection.attach(connection, container));
      Running running = new Running(container, streams);
      helpers.add(running);
      if (closed) {
        running.close();
        throw new IOException(SHUTDOWN_MESSAGE);
      }
      docker.startContainerCmd(container).exec();
      String response = streams.awaitResponse(START_TIMEOUT);
      if (!response.equals(RootHelperMessage.READY)) {
        throw new IOException("unexpected response: " + response);
      }
      return running;
    } catch (IOException | RuntimeException e) {
      remove(container);
      String reason = e instanceof IOException ? e.getMessage() : DockerProblem.of(e).message();
      throw new IOException("failed to start the root helper: " + reason, e);
    }
  }

  private String create() throws IOException {
    try {
      return create(image());
    } catch (DockerException e) {
      LOG.debug("creating the root helper's image again", e);
      Files.deleteIfExists(imageIdFile); // because the image was removed or the ID is invalid
      return create(image());
    }
  }

  private String create(String image) {
    return docker
        .createContainerCmd(image)
        .withLabels(labels.rootHelperLabels())
        .withName(labels.rootHelperName())
        .withEntrypoint(ENTER_PROGRAM)
        .withCmd(command)
        .withEnv("LANG=C.UTF-8")
        .withStdinOpen(true)
        .withStdInOnce(true)
        .withAttachStdin(true)
        .withAttachStdout(true)
        .withAttachStderr(true)
        .withHostConfig(
            HostConfig.newHostConfig()
                .withCapAdd(CAPABILITIES)
                .withSecurityOpts(SECURITY_OPTIONS)
                .withPidMode("host")
                .withNetworkMode("host")
                .withReadonlyRootfs(true)
                .withAutoRemove(true)
                .withLogConfig(new LogConfig(LogConfig.LoggingType.NONE)))
        .exec()
        .getId();
  }

  /**
   * Returns the ID of the image. The image has no name, and every server creates its own image,
   * because any user who can name images could give that name to another image.
   */
  private synchronized String image() throws IOException {
    try {
      return Files.readString(imageIdFile).strip();
    } catch (NoSuchFileException e) {
      byte[] program = InitProgram.read("enter", connection.version().getArch());
      byte[] archive = SingleFileTar.of(ENTER_PROGRAM.substring(1), program);
      String response = HijackedConnection.send(connection, "images/create?fromSrc=-", archive);
      Matcher id = IMAGE_ID.matcher(response);
      if (!id.find()) {
        throw new IOException("failed to create the image: " + response.strip(), e);
      }
      AtomicFile.write(
          imageIdFile, imageIdFile.resolveSibling("keeper-image.draft"), id.group() + "\n");
      return id.group();
    }
  }

  /**
   * Removes a container and returns when the engine no longer lists it. An interrupted thread
   * removes the container too, because no other thread knows it.
   */
  private void remove(String container) {
    if (container.isEmpty()) {
      return;
    }
    boolean interrupted = Thread.interrupted();
    try {
      docker.removeContainerCmd(container).withForce(true).exec();
    } catch (NotFoundException e) {
      LOG.debug("the engine itself has removed the root helper", e);
    } catch (ConflictException e) {
      awaitRemoval(container);
    } catch (RuntimeException e) {
      LOG.warn("failed to remove root helper {}: {}", container, DockerProblem.of(e).message());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits for a removal that the engine began itself because the container has ended. */
  private void awaitRemoval(String container) {
    long deadline = System.nanoTime() + REMOVE_TIMEOUT.toNanos();
    try {
      while (System.nanoTime() < deadline) {
        docker.inspectContainerCmd(container).exec();
        Thread.sleep(PAUSE_MILLIS);
      }
      LOG.warn("root helper {} is still being removed", container);
    } catch (NotFoundException e) {
      LOG.debug("the engine itself has removed the root helper", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn("failed to remove root helper {}: {}", container, DockerProblem.of(e).message());
    }
  }

  /**
   * Removes the root helpers of a server process that was killed; if they were started, they also
   * end by themselves.
   */
  void removeAll() {
    List<String> containerIds = new ArrayList<>();
    Map<String, String> helperLabels = labels.rootHelperLabels();
    for (Container container :
        docker.listContainersCmd().withShowAll(true).withLabelFilter(helperLabels).exec()) {
      // The container of a task may have such a label from its image.
      if (!container.getLabels().containsKey(Labels.TASK)) {
        containerIds.add(container.getId());
      }
    }
    containerIds.forEach(this::remove);
  }

  /** Removes all root helpers, including those being started, and their image. */
  void close() {
    closed = true;
    helpers.forEach(Running::close);
    startExecutor.shutdown();
    try {
      if (!startExecutor.awaitTermination(CLOSE_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
        LOG.warn("a root helper is still starting");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      removeAll();
    } catch (RuntimeException e) {
      LOG.debug("the engine is unavailable, so its root helpers have ended", e);
    }
    removeImage();
  }

  private synchronized void removeImage() {
    try {
      docker.removeImageCmd(Files.readString(imageIdFile).strip()).withForce(true).exec();
      Files.delete(imageIdFile);
    } catch (IOException | RuntimeException e) {
      LOG.debug("the root helper's image is kept for the next server process", e);
    }
  }
}
