package dev.trainyard.engine.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.TaskObservation;
import dev.trainyard.engine.TaskObservation.Phase;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.TaskStart;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.TaskResources;
import dev.trainyard.model.Ulid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Provides an engine for one test, and removes the test's tasks afterwards. */
abstract class EngineFixture {
  static final Ulid ULIDS = new Ulid(Clock.systemUTC());
  static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final long POLL_INTERVAL_NANOS = 5_000_000;

  @TempDir protected Path directory;
  private final List<TaskId> tasks = new ArrayList<>();
  Engine engine;

  /**
   * Opens an engine that uses this data directory. It is also called after the engine was closed,
   * to simulate a restart of the server.
   */
  protected abstract Engine open(Path data);

  /**
   * Returns the image in which tasks run, for engines with images. It contains the programs that
   * the tests use.
   */
  protected String image() {
    return "image";
  }

  @BeforeEach
  void openEngine() {
    engine = open(directory.resolve("data"));
  }

  @AfterEach
  void closeEngine() {
    if (engine != null) {
      tasks.forEach(engine::remove);
      engine.close();
      deleteData(directory.resolve("data"));
    }
  }

  /**
   * Removes the data that an engine keeps for the next server process. Called after the engine was
   * closed for the last time.
   */
  protected void deleteData(Path data) {}

  void reopen() {
    engine.close();
    engine = open(directory.resolve("data"));
  }

  static TaskId newId() {
    return new TaskId(new JobId(ULIDS.next()), 1, "main", 0);
  }

  TaskSpec spec(String script) {
    TaskId id = newId();
    tasks.add(id);
    return new TaskSpec(
        id,
        "alice",
        1,
        "main-0",
        image(),
        script,
        Map.of("PATH", "/usr/bin:/bin", "EARLY", "early", "QUOTED", "it's \"$HOME\"\n\tdone"),
        "/var",
        new TaskResources(1, DataSize.ofMegabytes(256), DataSize.ofMegabytes(64), 0, ""),
        List.of(),
        List.of(),
        List.of(),
        Map.of(),
        directory.resolve("logs").resolve(id.toString()),
        DataSize.ofMegabytes(16));
  }

  TaskId reserve(String script) {
    TaskSpec spec = spec(script);
    engine.reserve(spec);
    return spec.id();
  }

  TaskId start(String script) {
    TaskId task = reserve(script);
    engine.start(task, TaskStart.NONE);
    return task;
  }

  TaskEnd run(String script) {
    return awaitEnd(start(script));
  }

  TaskEnd awaitEnd(TaskId task) {
    await(() -> phase(task) == Phase.ENDED);
    return observation(task).end().orElseThrow();
  }

  Phase phase(TaskId task) {
    return observation(task).phase();
  }

  TaskObservation observation(TaskId task) {
    return engine.list().stream()
        .filter(candidate -> candidate.id().equals(task))
        .findFirst()
        .orElseThrow();
  }

  String log(TaskId task, String stream) {
    Path file = directory.resolve("logs").resolve(task.toString()).resolve(stream);
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Polls because a real process does not notify the test of its output. */
  static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
      LockSupport.parkNanos(POLL_INTERVAL_NANOS);
    }
  }
}
