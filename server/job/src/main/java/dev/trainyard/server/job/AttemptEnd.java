package dev.trainyard.server.job;

import dev.trainyard.model.Message;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The outcome of an attempt. The outcome is stored when it is decided, which may be before the last
 * task has ended.
 *
 * @param diagnosis diagnosis of the failure; empty if the attempt succeeded or was stopped
 */
public record AttemptEnd(
    boolean succeeded,
    OptionalInt exitCode,
    Optional<Message> reason,
    Optional<TaskDiagnosis> diagnosis) {
  private static final int UNKNOWN_CODE = 255;

  /** Returns the exit code of the task that determined the outcome. */
  public int decisiveCode() {
    return exitCode.orElse(UNKNOWN_CODE);
  }
}
