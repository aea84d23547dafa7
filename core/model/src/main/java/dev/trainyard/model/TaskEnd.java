package dev.trainyard.model;

import java.time.Instant;
import java.util.Optional;

/**
 * The end of a task.
 *
 * @param exitCode exit code of the user's command; 128 + n after signal n; 255 if it never ran
 * @param detail additional text of the platform in English, or empty
 * @param message the same in every language; empty if the platform has only the English text, as
 *     for ends that were read from the database
 */
public record TaskEnd(
    int exitCode, ExitReason reason, String detail, Instant at, Optional<Message> message) {
  public TaskEnd(int exitCode, ExitReason reason, String detail, Instant at) {
    this(exitCode, reason, detail, at, Optional.empty());
  }

  public boolean succeeded() {
    return reason == ExitReason.SUCCEEDED;
  }
}
