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
 * file system that the server sees and runs this Java program there. The input of a root helper is
 * held open only by the server's connection: when the server ends, the root helper ends, and then
 * the engine removes it.
 */
final class RootHelperContainer {
  private static final Logger LOG = LoggerFactory.getLogger(RootHelperContainer.class);
  private static final Duration STARTING = Duration.ofMinutes(1);
  private static final Duration CLOSING = Duration.ofSeconds(10);
  private static final Duration REMOVING = Duration.ofSeconds(10);
  private static final long PAUSE_MILLIS = 20;
  private static final String ENTER = "/enter";
  private static final String STOPPING = "the server is shutting down";

  /**
   * In addition to the default capabilities: to enter namespaces, to mount, to access any file, to
   * configure the firewall.
   */
  private static final Capability[] RIGHTS = {
    Capability.SYS_ADMIN, Capability.SYS_PTRACE, Capability.DAC_READ_SEARCH, Capability.NET_ADMIN
  };

  /** The default restrictions would prevent it from using these capabilities. */
  private static final List<String> UNHELD =
      List.of("seccomp=unconfined", "apparmor=unconfined", "label=disable");

  private static final Pattern ID = Pattern.compile("sha256:[0-9a-f]{64}");

  private final DockerConnection connection;
  private final DockerClient docker;
  private final Labels labels;
  private final List<String> words;

  /** Contains the ID of the image. */
  private final Path known;

  /**
   * Runs the calls that start a root helper in threads that are never interrupted: the engine
   * completes a call whose caller was interrupted, and the ID of the new container would be
   * unknown.
   */
  private final ExecutorService starts =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("keeper-start").factory());

  /** Root helpers that are starting or running. */
  private final Set<Running> open = ConcurrentHashMap.newKeySet();

  private volatile boolean closed;

  /**
   * @param data the server's data directory
   */
  RootHelperContainer(
      DockerConnection connection,
      Labels labels,
      Path data,
      ServerAccount server,
      HostPrograms hostPrograms) {
    this.connection = connection;
    this.docker = connection.client();
    this.labels = labels;
    this.words = words(labels, data, server, hostPrograms);
    this.known = data.resolve("docker/keeper-image");
  }

  private static List<String> words(
      Labels labels, Path data, ServerAccount server, HostPrograms hostPrograms) {
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
        data.toString(),
        labels.server(),
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
    String ask(String request, Duration patience) throws IOException {
      return streams.ask(request, patience);
    }

    @Override
    public void close() {
      streams.close();
      remove(container);
      open.remove(this);
    }
  }

  /**
   * Starts a root helper. If the caller is interrupted, the container is removed in the background;
   * {@link #close} waits for that.
   */
  Running start() throws IOException {
    CompletableFuture<Running> started;
    try {
      started = CompletableFuture.supplyAsync(this::startApart, starts);
    } catch (RejectedExecutionException e) {
      throw new IOException(STOPPING, e);
    }
    try {
      return started.get();
    } catch (InterruptedException e) {
      var _ = started.thenAccept(Running::close);
      Thread.currentThread().interrupt();
      throw new IOException(STOPPING, e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
  }

  private Running startApart() {
    try {
      return startNow();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private Running startNow() throws IOException {
    String container = "";
    try {
      container = create();
      RootHelperStreams streams =
          new RootHelperStreams(HijackedConnection.attach(connection, container));
      Running running = new Running(container, streams);
      open.add(running);
      if (closed) {
        running.close();
        throw new IOException(STOPPING);
      }
      docker.startContainerCmd(container).exec();
      String first = streams.answer(STARTING);
      if (!first.equals(RootHelperMessage.READY)) {
        throw new IOException("unexpected response: " + first);
      }
      return running;
    } catch (IOException | RuntimeException e) {
      remove(container);
      String why = e instanceof IOException ? e.getMessage() : DockerProblem.of(e).words();
      throw new IOException("failed to start the root helper: " + why, e);
    }
  }

  private String create() throws IOException {
    try {
      return create(image());
    } catch (DockerException e) {
      LOG.debug("creating the root helper's image again", e);
      Files.deleteIfExists(known); // the image was removed, or the ID is invalid
      return create(image());
    }
  }

  private String create(String from) {
    return docker
        .createContainerCmd(from)
        .withLabels(labels.keeper())
        .withName(labels.keeperName())
        .withEntrypoint(ENTER)
        .withCmd(words)
        .withEnv("LANG=C.UTF-8")
        .withStdinOpen(true)
        .withStdInOnce(true)
        .withAttachStdin(true)
        .withAttachStdout(true)
        .withAttachStderr(true)
        .withHostConfig(
            HostConfig.newHostConfig()
                .withCapAdd(RIGHTS)
                .withSecurityOpts(UNHELD)
                .withPidMode("host")
                .withNetworkMode("host")
                .withReadonlyRootfs(true)
                .withAutoRemove(true)
                .withLogConfig(new LogConfig(LogConfig.LoggingType.NONE)))
        .exec()
        .getId();
  }

  /**
   * Returns the ID of the image. It has no name, and every server creates its own, because any user
   * who can name images could give the name to another image.
   */
  private synchronized String image() throws IOException {
    try {
      return Files.readString(known).strip();
    } catch (NoSuchFileException e) {
      byte[] program = InitProgram.read("enter", connection.version().getArch());
      byte[] archive = SingleFileTar.of(ENTER.substring(1), program);
      String said = HijackedConnection.send(connection, "images/create?fromSrc=-", archive);
      Matcher id = ID.matcher(said);
      if (!id.find()) {
        throw new IOException("failed to create its image: " + said.strip(), e);
      }
      AtomicFile.write(known, known.resolveSibling("keeper-image.draft"), id.group() + "\n");
      return id.group();
    }
  }

  /**
   * Removes a container and returns when the engine no longer lists it. An interrupted thread
   * removes it too, because it is the last one that knows the container.
   */
  private void remove(String container) {
    if (container.isEmpty()) {
      return;
    }
    boolean interrupted = Thread.interrupted();
    try {
      docker.removeContainerCmd(container).withForce(true).exec();
    } catch (NotFoundException e) {
      LOG.debug("the engine has removed it itself", e);
    } catch (ConflictException e) {
      awaitRemoval(container);
    } catch (RuntimeException e) {
      LOG.warn("failed to remove root helper {}: {}", container, DockerProblem.of(e).words());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits for a removal that the engine began itself because the container has ended. */
  private void awaitRemoval(String container) {
    long end = System.nanoTime() + REMOVING.toNanos();
    try {
      while (System.nanoTime() < end) {
        docker.inspectContainerCmd(container).exec();
        Thread.sleep(PAUSE_MILLIS);
      }
      LOG.warn("root helper {} is still being removed", container);
    } catch (NotFoundException e) {
      LOG.debug("the engine has removed it itself", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn("failed to remove root helper {}: {}", container, DockerProblem.of(e).words());
    }
  }

  /**
   * Removes the root helpers of a server process that was killed; if they were started, they end by
   * themselves.
   */
  void removeAll() {
    List<String> found = new ArrayList<>();
    Map<String, String> own = labels.keeper();
    for (Container container :
        docker.listContainersCmd().withShowAll(true).withLabelFilter(own).exec()) {
      // The image of a task may bring such a label into the container of the task.
      if (!container.getLabels().containsKey(Labels.TASK)) {
        found.add(container.getId());
      }
    }
    found.forEach(this::remove);
  }

  /** Removes all root helpers, including those being started, and their image. */
  void close() {
    closed = true;
    open.forEach(Running::close);
    starts.shutdown();
    try {
      if (!starts.awaitTermination(CLOSING.toSeconds(), TimeUnit.SECONDS)) {
        LOG.warn("a root helper is still starting");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      removeAll();
    } catch (RuntimeException e) {
      LOG.debug("the engine is unavailable, and its root helpers ended with it", e);
    }
    removeImage();
  }

  private synchronized void removeImage() {
    try {
      docker.removeImageCmd(Files.readString(known).strip()).withForce(true).exec();
      Files.delete(known);
    } catch (IOException | RuntimeException e) {
      LOG.debug("the root helper's image is kept for the next server process", e);
    }
  }
}
