package dev.trainyard.engine.docker;

import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskEnd;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Determines how a container ended. */
final class ContainerExit {
  static final int NEVER_RAN = 255;
  private static final int KILLED = 137;
  private static final String LOST_ONE =
      "a process of the task was killed because the task exceeded its memory limit";

  private ContainerExit() {}

  /**
   * @param record written by its first process, if present
   * @param stopped whether a stop was requested
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
    String why = "its container ended without an end record, with code " + code;
    return new TaskEnd(KILLED, ExitReason.SUPERVISOR_LOST, why, at);
  }

  /** Determines the end from the record of the first process only. */
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
      // Even if the exit code is 0, because the task may have skipped the rest of its work.
      return new TaskEnd(
          code, ExitReason.SUPERVISOR_LOST, "it was ended from outside by the Docker engine", at);
    }
    ExitReason reason = reason(record);
    // Not the reason for the end, because the task continued; but often what led to it.
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
