package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.TaskObservation;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.TaskStart;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.linux.Spawn;
import dev.trainyard.engine.testkit.Requirement;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A real engine in its own directory, with helpers to run real tasks on it. */
final class RealEngine implements AutoCloseable {
  private static final Ulid ULIDS = new Ulid(Clock.systemUTC());
  static final Duration TIMEOUT = Duration.ofSeconds(30);

  final Path data;
  final ProcessEngine engine;
  private final List<TaskId> tasks = new ArrayList<>();

  RealEngine(Path data) {
    this(data, open(data));
  }

  RealEngine(Path data, ProcessEngine engine) {
    this.data = data;
    this.engine = engine;
  }

  private static ProcessEngine open(Path data) {
    requireSandbox();
    return new ProcessEngine(new ProcessEngineConfig(data, Optional.empty(), "/nonexistent"));
  }

  static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));

  static void requireRoot() {
    Requirement.require("root", IS_ROOT, "this test needs a server that runs as root");
  }

  /** Skips the test unless the account that runs the tests can use a sandbox, of either kind. */
  static void requireSandbox() {
    if (!IS_ROOT) {
      Requirement.require(
          "user", canCreateUserNamespaces(), "the kernel allows no user namespaces");
    }
  }

  private static boolean canCreateUserNamespaces() {
    try {
      return new ProcessBuilder("unshare", "--user", "--map-root-user", "--mount", "true")
              .start()
              .waitFor()
          == 0;
    } catch (IOException | InterruptedException e) {
      return false;
    }
  }

  /** The result of a task. */
  record Result(TaskId id, TaskEnd end, String stdout, String stderr) {}

  /** A task that the test can configure before it is reserved. */
  final class Draft {
    final TaskId id = new TaskId(new JobId(ULIDS.next()), 1, "main", 0);
    int user = 1;
    String script = "";
    String workingDirectory = "/userhome";
    DataSize memory = DataSize.ofMegabytes(256);
    DataSize logLimit = DataSize.ofMegabytes(16);
    List<Device> devices = List.of();
    final List<Volume> volumes = new ArrayList<>();
    final Map<String, String> environment =
        new HashMap<>(Map.of("PATH", Spawn.TOOL_PATH, "HOME", "/userhome"));

    TaskSpec spec() {
      List<Volume> allVolumes = new ArrayList<>(volumes);
      allVolumes.add(new Volume(home(user), "/userhome", Volume.Access.OWNED));
      TaskResources resources =
          new TaskResources(1, memory, DataSize.ofMegabytes(64), devices.size(), "");
      return new TaskSpec(
          id,
          "user" + user,
          user,
          "main-0",
          "image",
          script,
          environment,
          workingDirectory,
          resources,
          List.of(),
          devices,
          allVolumes,
          Map.of("files/hello.txt", "hello\n"),
          logs(id),
          logLimit);
    }

    void reserve() {
      engine.reserve(spec());
      tasks.add(id);
    }

    TaskId startReserved() {
      engine.start(id, new TaskStart(Map.of("LATE", "1"), Map.of()));
      return id;
    }

    TaskId start() {
      reserve();
      return startReserved();
    }

    Result run() throws IOException {
      return awaitEnd(start());
    }
  }

  Draft task(String script) {
    Draft draft = new Draft();
    draft.script = script;
    return draft;
  }

  Result run(String script) throws IOException {
    return task(script).run();
  }

  Path home(int user) {
    return data.resolve("homes").resolve("user" + user);
  }

  Path logs(TaskId id) {
    return data.resolve("logs").resolve(id.toString());
  }

  Result awaitEnd(TaskId id) throws IOException {
    await(() -> observation(id).phase() == TaskObservation.Phase.ENDED);
    Path logs = logs(id);
    return new Result(
        id, observation(id).end().orElseThrow(), read(logs, "stdout"), read(logs, "stderr"));
  }

  /** Reads a log. Each byte is decoded to one character, because logs may contain any bytes. */
  static String read(Path logs, String stream) {
    Path file = logs.resolve(stream);
    try {
      return Files.exists(file)
          ? new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
          : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static boolean isEmpty(Path directory) {
    try (var entries = Files.list(directory)) {
      return entries.findAny().isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  TaskObservation observation(TaskId id) {
    return engine.list().stream()
        .filter(task -> task.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no task " + id));
  }

  /** Waits for a condition. Polls, because real processes do not notify the test. */
  static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
      KernelPollDelay.pause();
    }
  }

  @Override
  public void close() {
    tasks.forEach(engine::remove);
    engine.close();
  }
}
