package dev.trainyard.server.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Decides whether a request body arrives too slowly: its client pauses for too long, or its average
 * rate is too low. Only the time during which the server waits for the client counts.
 */
final class BodyPace {
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final long stallNanos;
  private final int bytesPerSecond;

  BodyPace(Duration stall, int bytesPerSecond) {
    this.stallNanos = stall.toNanos();
    this.bytesPerSecond = bytesPerSecond;
  }

  /**
   * Returns how many more nanoseconds the server waits for the next bytes; 0 or less if the body
   * arrives too slowly. The average rate is checked once the maximum pause has passed.
   *
   * @param waitedNanos time spent waiting for this body
   * @param silentNanos time since the last bytes arrived
   * @param receivedBytes number of bytes received so far
   */
  long remainingNanos(long waitedNanos, long silentNanos, long receivedBytes) {
    long allowedNanos =
        receivedBytes / bytesPerSecond * SECOND_NANOS
            + receivedBytes % bytesPerSecond * SECOND_NANOS / bytesPerSecond;
    return Math.min(stallNanos - silentNanos, stallNanos + allowedNanos - waitedNanos);
  }
}
