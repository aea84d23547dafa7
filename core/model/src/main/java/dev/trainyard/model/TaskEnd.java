package dev.trainyard.model;

import java.time.Instant;

/**
 * The end of a task.
 *
 * @param exitCode exit code of the user's command; 128 + n after signal n; 255 if it never ran
 * @param detail additional text of the platform, or empty
 */
public record TaskEnd(int exitCode, ExitReason reason, String detail, Instant at) {
  public boolean succeeded() {
    return reason == ExitReason.SUCCEEDED;
  }
}
