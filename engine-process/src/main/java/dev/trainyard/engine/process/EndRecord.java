package dev.trainyard.engine.process;

import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskEnd;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a task ended, as its supervisor or the server wrote it down: lines of {@code name=value}.
 *
 * @param outOfMemoryKills how many processes the kernel killed because of the task's memory limit
 * @param platformReason set where not the task itself ended
 */
record EndRecord(int outOfMemoryKills, Optional<ExitReason> platformReason, String detail) {
  private static final int NEVER_RAN = 255;
  private static final int KILLED = 137;
  private static final int SIGNALS = 128;
  private static final int HIGHEST_SIGNAL = 64;

  static EndRecord byPlatform(ExitReason reason, String detail) {
    return new EndRecord(0, Optional.of(reason), detail);
  }

  static EndRecord parse(String text) {
    Map<String, String> values = new HashMap<>();
    for (String line : text.lines().toList()) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        values.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return new EndRecord(
        Integer.parseInt(values.getOrDefault("oom", "0")),
        Optional.ofNullable(values.get("reason")).map(ExitReason::valueOf),
        values.getOrDefault("detail", ""));
  }

  String text() {
    StringBuilder text = new StringBuilder("oom=" + outOfMemoryKills + "\n");
    platformReason.ifPresent(reason -> text.append("reason=").append(reason).append('\n'));
    return text.append("detail=").append(detail.replace('\n', ' ')).append('\n').toString();
  }

  /**
   * The end as the platform tells it.
   *
   * @param code what the task's first process wrote: "started", then the exit code
   * @param sandboxError what the tools said that make the sandbox
   */
  TaskEnd understood(String code, String sandboxError, boolean stopped, Instant at) {
    if (platformReason.isPresent()) {
      int exitCode = platformReason.get() == ExitReason.SUPERVISOR_LOST ? KILLED : NEVER_RAN;
      return new TaskEnd(exitCode, platformReason.get(), detail, at);
    }
    if (!code.startsWith("started\n")) {
      return stopped
          ? new TaskEnd(NEVER_RAN, ExitReason.STOPPED, "", at)
          : new TaskEnd(NEVER_RAN, ExitReason.START_FAILED, sandboxError.strip(), at);
    }
    // Killed with everything else: the task's first process had no time to write.
    int exitCode = number(code.substring("started\n".length())).orElse(KILLED);
    return new TaskEnd(exitCode, reason(exitCode, stopped), "", at);
  }

  private ExitReason reason(int exitCode, boolean stopped) {
    if (stopped) {
      return ExitReason.STOPPED;
    }
    if (exitCode == 0) {
      return ExitReason.SUCCEEDED;
    }
    if (exitCode == KILLED && outOfMemoryKills > 0) {
      return ExitReason.OUT_OF_MEMORY;
    }
    return exitCode > SIGNALS && exitCode <= SIGNALS + HIGHEST_SIGNAL
        ? ExitReason.KILLED_BY_SIGNAL
        : ExitReason.COMMAND_FAILED;
  }

  private static OptionalInt number(String text) {
    String digits = text.strip();
    return digits.matches("[0-9]{1,3}")
        ? OptionalInt.of(Integer.parseInt(digits))
        : OptionalInt.empty();
  }
}
