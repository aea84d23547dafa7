package dev.trainyard.engine.process;

import dev.trainyard.engine.Usage;
import dev.trainyard.engine.linux.ControlGroupUsage;
import dev.trainyard.model.DataSize;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Resource usage of a task: from its control groups where they have the counter, otherwise from its
 * processes. Every orphan of a task becomes a child of the supervisor, so the process tree below
 * the supervisor is complete; the CPU time of ended processes is included in that of the process
 * that waited for them.
 */
final class Consumption {
  private static final int USER_TIME = 14;
  private static final int TIMES = 4;
  private static final int KILOBYTE = 1024;
  private static final int TICK_MILLISECONDS = 10;

  private Consumption() {}

  static Usage of(TaskDirectory.Supervisor supervisor, List<Path> groups) {
    long ticks = 0;
    long resident = 0;
    int processes = 0;
    List<ProcessHandle> all =
        ProcessHandle.of(supervisor.pid()).stream()
            .flatMap(first -> Stream.concat(Stream.of(first), first.descendants()))
            .toList();
    for (ProcessHandle process : all) {
      Optional<String[]> stat = stat(process.pid());
      if (stat.isPresent()) {
        for (int i = 0; i < TIMES; i++) {
          ticks += field(stat.get(), USER_TIME + i);
        }
        resident += resident(process.pid());
        processes++;
      }
    }
    long pages = resident;
    int counted = processes;
    Duration time = Duration.ofMillis(ticks * TICK_MILLISECONDS);
    return new Usage(
        ControlGroupUsage.cpuTime(groups).orElse(time),
        ControlGroupUsage.memory(groups).orElseGet(() -> new DataSize(pages)),
        ControlGroupUsage.processes(groups).orElse(counted));
  }

  private static Optional<String[]> stat(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return Optional.of(stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ", -1));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static long resident(long pid) {
    try (var lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * KILOBYTE)
          .sum();
    } catch (IOException | UncheckedIOException e) {
      return 0; // ended
    }
  }

  /** Returns a field by its number in proc(5); the first two fields were cut off. */
  private static long field(String[] stat, int number) {
    return Long.parseLong(stat[number - 3]);
  }
}
