package dev.trainyard.engine.linux;

import dev.trainyard.model.DataSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Reads usage counters of control groups, version 1 or 2. A result is empty if no group has the
 * counter.
 */
public final class ControlGroupUsage {
  private ControlGroupUsage() {}

  public static Optional<Duration> cpuTime(List<Path> groups) {
    return readNumber(groups, "cpuacct.usage")
        .map(Duration::ofNanos)
        .or(
            () ->
                readNamedNumber(groups, "cpu.stat", "usage_usec")
                    .map(micros -> Duration.ofNanos(micros * 1000)));
  }

  /** Returns the memory in use, without the inactive page cache, which the kernel can reclaim. */
  public static Optional<DataSize> memory(List<Path> groups) {
    Optional<Long> usage =
        readNumber(groups, "memory.current").or(() -> readNumber(groups, "memory.usage_in_bytes"));
    long cache =
        readNamedNumber(groups, "memory.stat", "total_inactive_file")
            .or(() -> readNamedNumber(groups, "memory.stat", "inactive_file"))
            .orElse(0L);
    return usage.map(bytes -> new DataSize(Math.max(0, bytes - cache)));
  }

  private static Optional<Long> readNumber(List<Path> groups, String file) {
    return readFirst(groups, file).map(text -> Long.parseLong(text.strip()));
  }

  private static Optional<Long> readNamedNumber(List<Path> groups, String file, String name) {
    return readFirst(groups, file).stream()
        .flatMap(String::lines)
        .filter(line -> line.startsWith(name + " "))
        .map(line -> Long.parseLong(line.substring(name.length() + 1).strip()))
        .findFirst();
  }

  private static Optional<String> readFirst(List<Path> groups, String file) {
    for (Path group : groups) {
      try {
        return Optional.of(Files.readString(group.resolve(file)));
      } catch (IOException e) {
        // Another group may have the file.
      }
    }
    return Optional.empty();
  }

  public static Optional<Integer> processes(List<Path> groups) {
    return readNumber(groups, "pids.current").map(Long::intValue);
  }
}
