package dev.trainyard.server.job;

import dev.trainyard.model.Message;
import dev.trainyard.model.diagnosis.Diagnosis;
import dev.trainyard.model.diagnosis.Exit;
import java.util.Optional;

/**
 * Diagnosis of the task that caused an attempt to fail.
 *
 * @param withoutImage whether the engine ignored the image of the task; false in records of earlier
 *     versions
 */
public record TaskDiagnosis(String role, int index, Diagnosis diagnosis, boolean withoutImage) {
  /**
   * Returns the usual cause of this exit category. The text mentions an image only if the engine
   * used the image.
   */
  public Message cause() {
    Exit exit = diagnosis.exit();
    return withoutImage ? exit.causeWithoutImage() : exit.cause();
  }

  /**
   * Returns the recommended action. The text mentions an image only if the engine used the image.
   */
  public Message advice() {
    Exit exit = diagnosis.exit();
    return withoutImage ? exit.adviceWithoutImage() : exit.advice();
  }

  /** Returns a short description of the failure; empty if it adds nothing to the exit code. */
  Optional<Message> failure() {
    Exit exit = diagnosis.exit();
    return exit == Exit.COMMAND_FAILED ? Optional.empty() : Optional.of(exit.phrase());
  }
}
