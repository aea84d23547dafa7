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
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts keepers: containers with the machine's rights, whose one program leads to the files that
 * the server sees and runs this very Java program there. A keeper's input is held open by the
 * server's connection alone: with the server it ends, and with its end the engine removes it.
 */
final class KeeperContainer {
  private static final Logger LOG = LoggerFactory.getLogger(KeeperContainer.class);
  private static final Duration STARTING = Duration.ofMinutes(1);
  private static final String ENTER = "/enter";

  /** Besides those of every container: to enter, to mount, to reach any file, to close networks. */
  private static final Capability[] RIGHTS = {
    Capability.SYS_ADMIN, Capability.SYS_PTRACE, Capability.DAC_READ_SEARCH, Capability.NET_ADMIN
  };

  /** What holds containers back would keep it from using them. */
  private static final List<String> UNHELD =
      List.of("seccomp=unconfined", "apparmor=unconfined", "label=disable");

  private static final Pattern ID = Pattern.compile("sha256:[0-9a-f]{64}");

  private final DockerConnection connection;
  private final DockerClient docker;
  private final Labels labels;
  private final List<String> words;

  /** Holds the id of the image. */
  private final Path known;

  /**
   * @param data the server's data directory
   */
  KeeperContainer(
      DockerConnection connection, Labels labels, Path data, ServerAccount server, Tools tools) {
    this.connection = connection;
    this.docker = connection.client();
    this.labels = labels;
    this.words = words(labels, data, server, tools);
    this.known = data.resolve("docker/keeper-image");
  }

  private static List<String> words(Labels labels, Path data, ServerAccount server, Tools tools) {
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
        KeeperProgram.class.getName(),
        data.toString(),
        labels.server(),
        Integer.toString(server.user()),
        Integer.toString(server.group()),
        tools.searchPath());
  }

  /** A keeper that takes requests, until it is closed. */
  final class Running implements AutoCloseable {
    private final String container;
    private final KeeperStreams streams;

    private Running(String container, KeeperStreams streams) {
      this.container = container;
      this.streams = streams;
    }

    /** One at a time. */
    String ask(String request, Duration patience) throws IOException {
      return streams.ask(request, patience);
    }

    @Override
    public void close() {
      streams.close();
      remove(container);
    }
  }

  Running start() throws IOException {
    String container = "";
    try {
      container = create();
      KeeperStreams streams = new KeeperStreams(HijackedConnection.attach(connection, container));
      Running running = new Running(container, streams);
      docker.startContainerCmd(container).exec();
      String first = streams.answer(STARTING);
      if (!first.equals(KeeperLine.READY)) {
        throw new IOException("it says " + first);
      }
      return running;
    } catch (IOException | RuntimeException e) {
      remove(container);
      String why = e instanceof IOException ? e.getMessage() : DockerProblem.of(e).words();
      throw new IOException("the keeper, which needs root's rights, can't be started: " + why, e);
    }
  }

  private String create() throws IOException {
    try {
      return create(image());
    } catch (DockerException e) {
      LOG.debug("the keeper's image is made anew", e);
      Files.deleteIfExists(known); // somebody has cleaned up, or it is no image's id
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
   * Known by its id only, and made by every server for itself: a name could be given to another
   * image, by whoever may name images.
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
        throw new IOException("its image can't be made: " + said.strip(), e);
      }
      KeptFile.write(known, known.resolveSibling("keeper-image.draft"), id.group() + "\n");
      return id.group();
    }
  }

  private void remove(String container) {
    if (container.isEmpty()) {
      return;
    }
    try {
      docker.removeContainerCmd(container).withForce(true).exec();
    } catch (NotFoundException | ConflictException e) {
      LOG.debug("the engine removes it itself", e);
    } catch (RuntimeException e) {
      LOG.warn("keeper {} can't be removed: {}", container, DockerProblem.of(e).words());
    }
  }

  /** Those of a server that was killed; they end by themselves, if they have begun. */
  void removeAll() {
    List<String> found = new ArrayList<>();
    Map<String, String> own = labels.keeper();
    for (Container container :
        docker.listContainersCmd().withShowAll(true).withLabelFilter(own).exec()) {
      // An image may bring such a label along, into the container of a task.
      if (!container.getLabels().containsKey(Labels.TASK)) {
        found.add(container.getId());
      }
    }
    found.forEach(this::remove);
  }

  /** With the image; containers of it are closed by whoever has them. */
  synchronized void close() {
    try {
      docker.removeImageCmd(Files.readString(known).strip()).withForce(true).exec();
      Files.delete(known);
    } catch (IOException | RuntimeException e) {
      LOG.debug("the keeper's image stays, for the next server", e);
    }
  }
}
