package dev.trainyard.server.image;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Says when progress is worth an event: not more often than each second and each 5 %. */
final class ProgressSteps {
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final int STEP = 5;

  private final InstantSource clock;
  private Instant last = Instant.EPOCH;
  private int told = -STEP;

  ProgressSteps(InstantSource clock) {
    this.clock = clock;
  }

  synchronized boolean isDue(int percent) {
    Instant now = clock.instant();
    if (percent < told + STEP || now.isBefore(last.plus(PAUSE))) {
      return false;
    }
    last = now;
    told = percent;
    return true;
  }
}
