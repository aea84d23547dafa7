package dev.trainyard.bench;

import dev.trainyard.engine.TaskObservation;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.TaskStart;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.process.ProcessEngine;
import dev.trainyard.engine.process.ProcessEngineConfig;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures only the process engine: reserves, starts, awaits and removes tasks that run {@code
 * true}, each in a complete sandbox. Reports the CPU time per task that this process and its child
 * processes used, and the CPU time per task that the complete host used.
 */
final class EngineBench implements Bench.Measurement {
  private static final int WARM_UP_TASKS = 200;
  private static final int TASKS = 1_000;
  private static final int PARALLEL_TASKS = 16;
  private static final int TICK_MILLISECONDS = 10;

  private final Ulid ulids = new Ulid(Clock.systemUTC());

  @Override
  public void run(Path directory) throws Exception {
    Table table =
        new Table(
            "tasks of `true`", "tasks/s", "CPU of the engine and its tasks", "CPU of the host");
    ProcessEngineConfig config = ProcessEngineConfig.of(directory, Optional.empty());
    try (ProcessEngine engine = new ProcessEngine(config)) {
      runTasks(engine, directory, WARM_UP_TASKS);
      long start = System.nanoTime();
      long engineTicks = readEngineTicks();
      long hostTicks = readHostTicks();
      runTasks(engine, directory, TASKS);
      double seconds = (System.nanoTime() - start) / 1e9;
      table.row(
          Integer.toString(TASKS),
          String.format(Locale.ROOT, "%.0f", TASKS / seconds),
          perTask(readEngineTicks() - engineTicks),
          perTask(readHostTicks() - hostTicks));
    }
  }

  private static String perTask(long ticks) {
    return String.format(Locale.ROOT, "%.1f ms", (double) ticks * TICK_MILLISECONDS / TASKS);
  }

  private void runTasks(ProcessEngine engine, Path directory, int count)
      throws InterruptedException {
    Semaphore permits = new Semaphore(PARALLEL_TASKS);
    CountDownLatch remainingTasks = new CountDownLatch(count);
    AtomicInteger failures = new AtomicInteger();
    engine.watch(
        observation -> {
          if (observation.phase() == TaskObservation.Phase.ENDED) {
            if (observation.end().map(TaskEnd::exitCode).orElse(1) != 0) {
              failures.incrementAndGet();
            }
            Thread.startVirtualThread(
                () -> {
                  engine.remove(observation.id());
                  permits.release();
                  remainingTasks.countDown();
                });
          }
        });
    for (int i = 0; i < count; i++) {
      permits.acquire();
      Thread.startVirtualThread(
          () -> {
            TaskSpec spec = spec(directory);
            engine.reserve(spec);
            engine.start(spec.id(), TaskStart.NONE);
          });
    }
    remainingTasks.await();
    if (failures.get() > 0) {
      throw new IllegalStateException(failures + " tasks failed");
    }
  }

  private TaskSpec spec(Path directory) {
    TaskId id = new TaskId(new JobId(ulids.next()), 1, "main", 0);
    return new TaskSpec(
        id,
        "alice",
        1,
        "main-0",
        "",
        "true",
        Map.of("PATH", "/usr/local/bin:/usr/bin:/bin", "HOME", "/userhome"),
        "/userhome",
        new TaskResources(1, DataSize.ofMegabytes(256), DataSize.ofMegabytes(64), 0, ""),
        List.of(),
        List.of(),
        List.of(new Volume(directory.resolve("home"), "/userhome", Volume.Access.OWNED)),
        Map.of(),
        directory.resolve("logs").resolve(id.toString()),
        DataSize.ofMegabytes(16));
  }

  /** Returns the user and system time of this process and of its reaped child processes. */
  private static long readEngineTicks() throws IOException {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    String[] fieldsAfterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    int userTime = 14 - 3;
    long ticks = 0;
    for (int i = 0; i < 4; i++) {
      ticks += Long.parseLong(fieldsAfterName[userTime + i]);
    }
    return ticks;
  }

  /** Returns the CPU time of all processes of the host. */
  private static long readHostTicks() throws IOException {
    String[] fields = Files.readAllLines(Path.of("/proc/stat")).getFirst().split(" +", -1);
    int idle = 4;
    int ioWait = 5;
    long ticks = 0;
    for (int i = 1; i <= 8; i++) {
      ticks += i == idle || i == ioWait ? 0 : Long.parseLong(fields[i]);
    }
    return ticks;
  }
}
