package dev.trainyard.server.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Decides when a request body arrives too slowly: after a pause, or if its average rate is too low.
 * Only the time that the server waits for the client counts.
 */
final class BodyPace {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final long stall;
  private final int bytesPerSecond;

  BodyPace(Duration stall, int bytesPerSecond) {
    this.stall = stall.toNanos();
    this.bytesPerSecond = bytesPerSecond;
  }

  /**
   * Returns how many more nanoseconds the server waits for the next bytes; 0 or less if the body is
   * too slow. The average rate is checked once {@code bodyStall} has passed.
   *
   * @param waited time spent waiting for this body
   * @param silent time since its last bytes
   * @param seen bytes received
   */
  long left(long waited, long silent, long seen) {
    long paid = seen / bytesPerSecond * SECOND + seen % bytesPerSecond * SECOND / bytesPerSecond;
    return Math.min(stall - silent, stall + paid - waited);
  }
}
