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
    return number(groups, "cpuacct.usage")
        .map(Duration::ofNanos)
        .or(
            () ->
                named(groups, "cpu.stat", "usage_usec")
                    .map(micros -> Duration.ofNanos(micros * 1000)));
  }

  /** Returns the memory in use, without the inactive page cache, which the kernel can reclaim. */
  public static Optional<DataSize> memory(List<Path> groups) {
    Optional<Long> all =
        number(groups, "memory.current").or(() -> number(groups, "memory.usage_in_bytes"));
    long cache =
        named(groups, "memory.stat", "total_inactive_file")
            .or(() -> named(groups, "memory.stat", "inactive_file"))
            .orElse(0L);
    return all.map(bytes -> new DataSize(Math.max(0, bytes - cache)));
  }

  private static Optional<Long> number(List<Path> groups, String file) {
    return text(groups, file).map(text -> Long.parseLong(text.strip()));
  }

  private static Optional<Long> named(List<Path> groups, String file, String name) {
    return text(groups, file).stream()
        .flatMap(String::lines)
        .filter(line -> line.startsWith(name + " "))
        .map(line -> Long.parseLong(line.substring(name.length() + 1).strip()))
        .findFirst();
  }

  private static Optional<String> text(List<Path> groups, String file) {
    for (Path group : groups) {
      try {
        return Optional.of(Files.readString(group.resolve(file)));
      } catch (IOException e) {
        // another group may have the file
      }
    }
    return Optional.empty();
  }

  public static Optional<Integer> processes(List<Path> groups) {
    return number(groups, "pids.current").map(Long::intValue);
  }
}
