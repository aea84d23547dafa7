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
 * Reserves, starts, waits for and removes tasks that run {@code true} with only the process engine,
 * each in a complete sandbox. Reports the CPU time per task of this process with its child
 * processes, and of the whole host.
 */
final class EngineBench implements Bench.Measurement {
  private static final int WARM_UP = 200;
  private static final int TASKS = 1_000;
  private static final int IN_FLIGHT = 16;
  private static final int TICK_MILLISECONDS = 10;

  private final Ulid ulids = new Ulid(Clock.systemUTC());

  @Override
  public void run(Path directory) throws Exception {
    Table table =
        new Table(
            "tasks of `true`", "tasks/s", "CPU of the engine and its tasks", "CPU of the host");
    ProcessEngineConfig config = ProcessEngineConfig.of(directory, Optional.empty());
    try (ProcessEngine engine = new ProcessEngine(config)) {
      push(engine, directory, WARM_UP);
      long start = System.nanoTime();
      long own = ownTicks();
      long machine = machineTicks();
      push(engine, directory, TASKS);
      double seconds = (System.nanoTime() - start) / 1e9;
      table.row(
          Integer.toString(TASKS),
          String.format(Locale.ROOT, "%.0f", TASKS / seconds),
          perTask(ownTicks() - own),
          perTask(machineTicks() - machine));
    }
  }

  private static String perTask(long ticks) {
    return String.format(Locale.ROOT, "%.1f ms", (double) ticks * TICK_MILLISECONDS / TASKS);
  }

  private void push(ProcessEngine engine, Path directory, int count) throws InterruptedException {
    Semaphore permits = new Semaphore(IN_FLIGHT);
    CountDownLatch left = new CountDownLatch(count);
    AtomicInteger failures = new AtomicInteger();
    engine.watch(
        seen -> {
          if (seen.phase() == TaskObservation.Phase.ENDED) {
            if (seen.end().map(TaskEnd::exitCode).orElse(1) != 0) {
              failures.incrementAndGet();
            }
            Thread.startVirtualThread(
                () -> {
                  engine.remove(seen.id());
                  permits.release();
                  left.countDown();
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
    left.await();
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
  private static long ownTicks() throws IOException {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    int userTime = 14 - 3;
    long ticks = 0;
    for (int i = 0; i < 4; i++) {
      ticks += Long.parseLong(afterName[userTime + i]);
    }
    return ticks;
  }

  /** Returns the CPU time of all processes of the host. */
  private static long machineTicks() throws IOException {
    String[] words = Files.readAllLines(Path.of("/proc/stat")).getFirst().split(" +", -1);
    int idle = 4;
    int waiting = 5;
    long ticks = 0;
    for (int i = 1; i <= 8; i++) {
      ticks += i == idle || i == waiting ? 0 : Long.parseLong(words[i]);
    }
    return ticks;
  }
}
