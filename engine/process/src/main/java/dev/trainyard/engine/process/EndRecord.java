package dev.trainyard.engine.process;

import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskEnd;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The end of a task as recorded by its supervisor or by the server: {@code name=value} pairs, a
 * dot, and then a detail text in the same line.
 *
 * @param code exit code of the task's shell
 * @param outOfMemoryKills number of processes that the kernel killed because of the task's memory
 *     limit
 * @param diskFull whether a file system that the task writes to was full when the task ended
 * @param platformReason set if the platform ended the task
 */
record EndRecord(
    int code,
    int outOfMemoryKills,
    boolean diskFull,
    Optional<ExitReason> platformReason,
    String detail) {
  /** Maximum length of the detail, so that the complete state fits into one disk block. */
  private static final int MAX_DETAIL_LENGTH = 1000;

  private static final int NO_EXIT_CODE = 255;
  private static final int KILLED_CODE = 137;
  private static final int SIGNAL_CODE_BASE = 128;
  private static final int MAX_SIGNAL = 64;

  /** Creates the record of a task that has no exit code, for example because it never ran. */
  static EndRecord withoutExitCode(ExitReason reason, String detail) {
    return create(reason, NO_EXIT_CODE, detail);
  }

  /** Creates the record of a task that was killed together with its supervisor. */
  static EndRecord ofKilledTask(ExitReason reason, String detail) {
    return create(reason, KILLED_CODE, detail);
  }

  private static EndRecord create(ExitReason reason, int code, String detail) {
    String line = detail.replace('\n', ' ').strip();
    String shortened = line.substring(0, Math.min(MAX_DETAIL_LENGTH, line.length()));
    return new EndRecord(code, 0, false, Optional.of(reason), shortened);
  }

  /** Parses a record; empty if it is incomplete. */
  static Optional<EndRecord> parse(String line) {
    int dot = line.indexOf(" .");
    if (dot < 0) {
      return Optional.empty();
    }
    Map<String, String> values = new HashMap<>();
    for (String word : List.of(line.substring(0, dot).split(" ", -1))) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        values.put(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    try {
      return Optional.of(
          new EndRecord(
              Integer.parseInt(values.getOrDefault("code", "255")),
              Integer.parseInt(values.getOrDefault("oom", "0")),
              values.getOrDefault("full", "0").equals("1"),
              Optional.ofNullable(values.get("reason")).map(ExitReason::valueOf),
              line.substring(dot + 2).strip()));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // the line was not written by a supervisor
    }
  }

  String text() {
    String reason = platformReason.map(value -> " reason=" + value).orElse("");
    int full = diskFull ? 1 : 0;
    return "code=%d oom=%d full=%d%s . %s"
        .formatted(code, outOfMemoryKills, full, reason, detail)
        .strip();
  }

  /**
   * Returns the end of the task as reported to users.
   *
   * @param started whether the task's shell was started
   * @param sandboxError error output of the tools that create the sandbox
   */
  TaskEnd toTaskEnd(boolean started, String sandboxError, boolean stopped, Instant endTime) {
    if (platformReason.isPresent()) {
      return new TaskEnd(code, platformReason.get(), detail, endTime);
    }
    if (!started) {
      return stopped
          ? new TaskEnd(NO_EXIT_CODE, ExitReason.STOPPED, "", endTime)
          : new TaskEnd(NO_EXIT_CODE, ExitReason.START_FAILED, sandboxError.strip(), endTime);
    }
    return new TaskEnd(code, reason(stopped), "", endTime);
  }

  private ExitReason reason(boolean stopped) {
    if (stopped) {
      return ExitReason.STOPPED;
    }
    if (code == 0) {
      return ExitReason.SUCCEEDED;
    }
    if (code == KILLED_CODE && outOfMemoryKills > 0) {
      return ExitReason.OUT_OF_MEMORY;
    }
    if (diskFull) {
      return ExitReason.DISK_FULL;
    }
    return code > SIGNAL_CODE_BASE && code <= SIGNAL_CODE_BASE + MAX_SIGNAL
        ? ExitReason.KILLED_BY_SIGNAL
        : ExitReason.COMMAND_FAILED;
  }
}
