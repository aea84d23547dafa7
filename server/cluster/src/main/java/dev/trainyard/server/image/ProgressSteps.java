package dev.trainyard.server.image;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Decides when to create a progress event: at most once per second and once per 5 %. */
final class ProgressSteps {
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final int STEP = 5;

  private final InstantSource clock;
  private Instant last = Instant.EPOCH;
  private int reported = -STEP;

  ProgressSteps(InstantSource clock) {
    this.clock = clock;
  }

  synchronized boolean isDue(int percent) {
    Instant now = clock.instant();
    if (percent < reported + STEP || now.isBefore(last.plus(PAUSE))) {
      return false;
    }
    last = now;
    reported = percent;
    return true;
  }
}
