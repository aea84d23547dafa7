package dev.trainyard.engine.docker;

import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskEnd;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Determines how a container ended. */
final class ContainerExit {
  static final int EXIT_CODE_NOT_RUN = 255;
  private static final int EXIT_CODE_KILLED = 137;
  private static final String MEMORY_KILL_DETAIL =
      "a process of the task was killed because the task exceeded its memory limit";

  private ContainerExit() {}

  /**
   * @param record record that the container's first process wrote, if present
   * @param stopRequested whether a stop was requested
   */
  static TaskEnd taskEnd(ContainerState state, Optional<EndRecord> record, boolean stopRequested) {
    Instant endTime = finishTime(state);
    if (record.isPresent()) {
      return taskEnd(record.get(), stopRequested, endTime);
    }
    int code =
        state.getExitCodeLong() == null ? EXIT_CODE_KILLED : state.getExitCodeLong().intValue();
    if (stopRequested) {
      return new TaskEnd(EXIT_CODE_KILLED, ExitReason.STOPPED, "", endTime);
    }
    if (Boolean.TRUE.equals(state.getOOMKilled())) {
      return new TaskEnd(EXIT_CODE_KILLED, ExitReason.OUT_OF_MEMORY, "", endTime);
    }
    String detail = "the container ended without an end record, with exit code " + code;
    return new TaskEnd(EXIT_CODE_KILLED, ExitReason.SUPERVISOR_LOST, detail, endTime);
  }

  /** Determines the end from the record of the first process only. */
  static TaskEnd taskEnd(EndRecord record, boolean stopRequested, Instant endTime) {
    int code = record.code();
    if (stopRequested) {
      return new TaskEnd(code, ExitReason.STOPPED, "", endTime);
    }
    if (record.noShell()) {
      return new TaskEnd(
          EXIT_CODE_NOT_RUN,
          ExitReason.START_REFUSED,
          "the image has no /bin/sh to run a script",
          endTime);
    }
    if (record.endedFromOutside()) {
      // This applies even if the exit code is 0, because the task may have skipped the rest of its
      // work.
      return new TaskEnd(
          code,
          ExitReason.SUPERVISOR_LOST,
          "the Docker engine ended the task from outside",
          endTime);
    }
    ExitReason reason = reason(record);
    // The task continued after the kill, so the kill is not the reason for the end; but it often
    // led to the end.
    boolean processKilled = record.outOfMemory() && reason != ExitReason.OUT_OF_MEMORY;
    return new TaskEnd(code, reason, processKilled ? MEMORY_KILL_DETAIL : "", endTime);
  }

  private static ExitReason reason(EndRecord record) {
    if (record.code() == 0) {
      return ExitReason.SUCCEEDED;
    }
    if (record.code() == EXIT_CODE_KILLED && record.outOfMemory()) {
      return ExitReason.OUT_OF_MEMORY;
    }
    if (record.diskFull()) {
      return ExitReason.DISK_FULL;
    }
    return record.signal() > 0 ? ExitReason.KILLED_BY_SIGNAL : ExitReason.COMMAND_FAILED;
  }

  private static Instant finishTime(ContainerState state) {
    try {
      Instant endTime = Instant.parse(String.valueOf(state.getFinishedAt()));
      return endTime.isBefore(Instant.EPOCH) ? Instant.now() : endTime;
    } catch (DateTimeParseException e) {
      return Instant.now();
    }
  }
}
