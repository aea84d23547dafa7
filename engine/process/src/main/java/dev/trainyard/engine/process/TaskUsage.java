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
 * Measures the resource usage of a task with the counters of its control groups or, if these do not
 * exist, with its processes. Every orphan process of a task becomes a child of the supervisor, so
 * the process tree below the supervisor is complete. The CPU time of an ended process is included
 * in the CPU time of the process that waited for it.
 */
final class TaskUsage {
  private static final int USER_TIME_FIELD = 14;
  private static final int TIME_FIELD_COUNT = 4;
  private static final int KILOBYTE = 1024;
  private static final int TICK_MILLISECONDS = 10;

  private TaskUsage() {}

  static Usage of(TaskDirectory.Supervisor supervisor, List<Path> groups) {
    long ticks = 0;
    long residentBytes = 0;
    int processes = 0;
    List<ProcessHandle> handles =
        ProcessHandle.of(supervisor.pid()).stream()
            .flatMap(
                supervisorHandle ->
                    Stream.concat(Stream.of(supervisorHandle), supervisorHandle.descendants()))
            .toList();
    for (ProcessHandle process : handles) {
      Optional<String[]> stat = readStat(process.pid());
      if (stat.isPresent()) {
        for (int i = 0; i < TIME_FIELD_COUNT; i++) {
          ticks += field(stat.get(), USER_TIME_FIELD + i);
        }
        residentBytes += readResidentBytes(process.pid());
        processes++;
      }
    }
    long memoryBytes = residentBytes;
    int processCount = processes;
    Duration cpuTime = Duration.ofMillis(ticks * TICK_MILLISECONDS);
    return new Usage(
        ControlGroupUsage.cpuTime(groups).orElse(cpuTime),
        ControlGroupUsage.memory(groups).orElseGet(() -> new DataSize(memoryBytes)),
        ControlGroupUsage.processes(groups).orElse(processCount));
  }

  private static Optional<String[]> readStat(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return Optional.of(stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ", -1));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static long readResidentBytes(long pid) {
    try (var lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * KILOBYTE)
          .sum();
    } catch (IOException | UncheckedIOException e) {
      return 0; // the process has ended
    }
  }

  /** Returns a field by its number in proc(5); the first two fields were cut off. */
  private static long field(String[] stat, int number) {
    return Long.parseLong(stat[number - 3]);
  }
}
