package dev.trainyard.server.image;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Decides when to create a progress event: at most once per second, and only after further progress
 * of 5 %.
 */
final class ProgressSteps {
  private static final Duration MIN_INTERVAL = Duration.ofSeconds(1);
  private static final int STEP_PERCENT = 5;

  private final InstantSource clock;
  private Instant lastReport = Instant.EPOCH;
  private int lastPercent = -STEP_PERCENT;

  ProgressSteps(InstantSource clock) {
    this.clock = clock;
  }

  synchronized boolean isDue(int percent) {
    Instant now = clock.instant();
    if (percent < lastPercent + STEP_PERCENT || now.isBefore(lastReport.plus(MIN_INTERVAL))) {
      return false;
    }
    lastReport = now;
    lastPercent = percent;
    return true;
  }
}
