package dev.trainyard.engine.docker;

import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskEnd;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Understands how a container ended. */
final class ContainerExit {
  static final int NEVER_RAN = 255;
  private static final int KILLED = 137;
  private static final String LOST_ONE =
      "a process of the task was killed, as the task used more than its memory";

  private ContainerExit() {}

  /**
   * @param record what its first process wrote, if it came to that
   * @param stopped whether we were asked to end it
   */
  static TaskEnd understood(ContainerState state, Optional<EndRecord> record, boolean stopped) {
    Instant at = finished(state);
    if (record.isPresent()) {
      return understood(record.get(), stopped, at);
    }
    int code = state.getExitCodeLong() == null ? KILLED : state.getExitCodeLong().intValue();
    if (stopped) {
      return new TaskEnd(KILLED, ExitReason.STOPPED, "", at);
    }
    if (Boolean.TRUE.equals(state.getOOMKilled())) {
      return new TaskEnd(KILLED, ExitReason.OUT_OF_MEMORY, "", at);
    }
    String why = "its container ended without a word, with code " + code;
    return new TaskEnd(KILLED, ExitReason.SUPERVISOR_LOST, why, at);
  }

  /** By what the first process wrote alone. */
  static TaskEnd understood(EndRecord record, boolean stopped, Instant at) {
    int code = record.code();
    if (stopped) {
      return new TaskEnd(code, ExitReason.STOPPED, "", at);
    }
    if (record.noShell()) {
      return new TaskEnd(
          NEVER_RAN, ExitReason.START_REFUSED, "the image has no /bin/sh to run a script", at);
    }
    if (record.outside()) {
      // Also one that went well afterwards: it may have left out the rest of its work.
      return new TaskEnd(
          code, ExitReason.SUPERVISOR_LOST, "the Docker engine, or somebody at it, ended it", at);
    }
    ExitReason reason = reason(record);
    // Not the reason of the end, as the task went on; but often what led to it.
    boolean lostOne = record.outOfMemory() && reason != ExitReason.OUT_OF_MEMORY;
    return new TaskEnd(code, reason, lostOne ? LOST_ONE : "", at);
  }

  private static ExitReason reason(EndRecord record) {
    if (record.code() == 0) {
      return ExitReason.SUCCEEDED;
    }
    if (record.code() == KILLED && record.outOfMemory()) {
      return ExitReason.OUT_OF_MEMORY;
    }
    if (record.diskFull()) {
      return ExitReason.DISK_FULL;
    }
    return record.signal() > 0 ? ExitReason.KILLED_BY_SIGNAL : ExitReason.COMMAND_FAILED;
  }

  private static Instant finished(ContainerState state) {
    try {
      Instant at = Instant.parse(String.valueOf(state.getFinishedAt()));
      return at.isBefore(Instant.EPOCH) ? Instant.now() : at;
    } catch (DateTimeParseException e) {
      return Instant.now();
    }
  }
}
