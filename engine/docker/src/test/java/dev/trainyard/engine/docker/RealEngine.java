package dev.trainyard.engine.docker;

import com.github.dockerjava.api.command.InspectContainerResponse;
import dev.trainyard.engine.TaskObservation;
import dev.trainyard.engine.TaskRights;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.TaskStart;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.TaskResources;
import dev.trainyard.model.Ulid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A Docker engine for a test, whose tasks are removed afterwards. */
final class RealEngine implements AutoCloseable {
  private static final Ulid ULIDS = new Ulid(Clock.systemUTC());

  final Path data;
  private final DockerConnection connection;
  DockerEngine engine;
  private final List<TaskId> tasks = new ArrayList<>();

  RealEngine(Path data) {
    this(data, TestImages.connection());
  }

  /**
   * @param connection owned by the caller
   */
  RealEngine(Path data, DockerConnection connection) {
    this.data = data;
    this.connection = connection;
    open();
  }

  /**
   * Returns the owner on disk of files that a platform user's tasks write to the user's home
   * directory.
   */
  static int owner(int idRange) {
    return TestHost.USER == 0 ? IdRange.of(idRange).base() : TestHost.USER;
  }

  private void open() {
    DockerEngineConfig config = DockerEngineConfig.of(data, connection, Optional.empty());
    engine =
        new DockerEngine(connection.isPodman() ? config.withNetworks(Podman.NETWORKS) : config);
  }

  void reopen() {
    engine.close();
    open();
  }

  /** A task that the test can configure before it is reserved. */
  final class Draft {
    TaskId id = new TaskId(new JobId(ULIDS.next()), 1, "main", 0);
    String image = TestImages.hostPrograms();
    final String script;
    int idRange = 1;
    DataSize memory = DataSize.ofMegabytes(256);
    DataSize logLimit = DataSize.ofMegabytes(16);
    List<Device> devices = List.of();
    List<Integer> ports = List.of();
    TaskRights rights = TaskRights.DEFAULT;
    final List<Volume> volumes = new ArrayList<>();

    Draft(String script) {
      this.script = script;
    }

    TaskSpec spec() {
      return new TaskSpec(
          id,
          "alice",
          idRange,
          "main-0",
          image,
          script,
          Map.of("EARLY", "early"),
          "/var",
          new TaskResources(1, memory, DataSize.ofMegabytes(64), devices.size(), ""),
          ports,
          devices,
          volumes,
          Map.of(),
          logs(id),
          logLimit,
          rights);
    }

    String reserve() {
      tasks.add(id);
      return engine.reserve(spec());
    }

    TaskId start() {
      reserve();
      engine.start(id, TaskStart.NONE);
      return id;
    }

    TaskEnd run() {
      return awaitEnd(start());
    }
  }

  Draft task(String script) {
    return new Draft(script);
  }

  Path logs(TaskId task) {
    return data.resolve("logs").resolve(task.toString());
  }

  String log(TaskId task, String stream) {
    try {
      return new String(
          Files.readAllBytes(logs(task).resolve(stream)), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  TaskEnd awaitEnd(TaskId task) {
    TestHost.await(() -> observation(task).end().isPresent());
    return observation(task).end().orElseThrow();
  }

  TaskObservation observation(TaskId task) {
    return engine.list().stream()
        .filter(observation -> observation.id().equals(task))
        .findFirst()
        .orElseThrow();
  }

  InspectContainerResponse inspect(TaskId task) {
    return TestImages.connection().client().inspectContainerCmd(name(task)).exec();
  }

  /** Returns the name of the container of a task. */
  String name(TaskId task) {
    try {
      return Labels.load(data.resolve("docker/id")).containerName(task);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    tasks.forEach(engine::remove);
    engine.deleteTree(data.resolve("shared"));
    engine.close();
    TestImages.removeNetworks(data);
  }
}
