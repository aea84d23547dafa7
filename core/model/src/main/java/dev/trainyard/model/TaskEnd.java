package dev.trainyard.model;

import java.time.Instant;

/**
 * How a task ended.
 *
 * @param exitCode of the user's command; 128 + n after signal n; 255 where it never ran
 * @param detail what the platform adds in its own words, or empty
 */
public record TaskEnd(int exitCode, ExitReason reason, String detail, Instant at) {
  public boolean succeeded() {
    return reason == ExitReason.SUCCEEDED;
  }
}
