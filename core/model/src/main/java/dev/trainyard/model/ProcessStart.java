package dev.trainyard.model;

import java.util.Optional;

/**
 * Start of a process on a Linux host. Together with the process ID it identifies the process,
 * because another process may get the same ID later. Unlike a time of day, it does not change when
 * the clock is set.
 */
public final class ProcessStart {
  /** Index of field {@code starttime} after the name of the program, see proc(5). */
  private static final int START_TIME = 19;

  private ProcessStart() {}

  /**
   * @param stat content of {@code /proc/PID/stat}
   * @param boot content of {@code /proc/sys/kernel/random/boot_id}
   */
  public static Optional<String> of(String stat, String boot) {
    // The name of the program is in parentheses and may contain spaces and parentheses.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    return fields.length > START_TIME
        ? Optional.of(fields[START_TIME] + " " + boot.strip())
        : Optional.empty();
  }
}
