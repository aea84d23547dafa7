package dev.trainyard.server.status;

import dev.trainyard.model.Message;
import dev.trainyard.server.metric.MetricText;
import dev.trainyard.server.metric.Metrics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects jumps of the host's clock and warns administrators about them, because IDs, ages and
 * sign-ins depend on this clock. Thread-safe.
 */
public final class ClockWatch implements Metrics.Source {
  private static final Logger LOG = LoggerFactory.getLogger(ClockWatch.class);

  /** Backward differences up to this value are normal corrections by a time server. */
  private static final Duration BACKWARD_TOLERANCE = Duration.ofSeconds(2);

  /**
   * Forward differences up to this value may be delays on a busy host. A larger difference may also
   * be caused by a suspended host.
   */
  private static final Duration FORWARD_TOLERANCE = Duration.ofMinutes(1);

  /** Time for which a jump is reported, by the monotonic clock. */
  private static final Duration REPORT_TIME = Duration.ofHours(24);

  private final InstantSource clock;
  private final LongSupplier steadyNanos;
  private Instant lastTime;
  private long lastNanos;
  private long jumps;
  private Duration lastJump = Duration.ZERO;
  private long lastJumpNanos;

  public ClockWatch(InstantSource clock, LongSupplier steadyNanos) {
    this.clock = clock;
    this.steadyNanos = steadyNanos;
    this.lastTime = clock.instant();
    this.lastNanos = steadyNanos.getAsLong();
  }

  /** Compares the host's clock with the monotonic clock. */
  public synchronized void check() {
    Instant now = clock.instant();
    long nanos = steadyNanos.getAsLong();
    Instant expected = lastTime.plusNanos(nanos - lastNanos);
    lastTime = now;
    lastNanos = nanos;
    recordIfJump(Duration.between(expected, now));
  }

  /**
   * Compares the host's clock with the newest stored timestamp, which must not be in the future.
   *
   * @param newest the newest stored timestamp
   */
  public synchronized void compareWith(Instant newest) {
    recordIfJump(
        Duration.between(newest, clock.instant()).isNegative()
            ? Duration.between(newest, clock.instant())
            : Duration.ZERO);
  }

  private void recordIfJump(Duration difference) {
    if (difference.compareTo(BACKWARD_TOLERANCE.negated()) < 0
        || difference.compareTo(FORWARD_TOLERANCE) > 0) {
      jumps++;
      lastJump = difference;
      lastJumpNanos = steadyNanos.getAsLong();
      LOG.warn("{}", warning().english());
    }
  }

  private Message warning() {
    String code = lastJump.isNegative() ? "notice.clock-back" : "notice.clock-ahead";
    return Message.of(code, "seconds", lastJump.abs().toSeconds());
  }

  /** Returns whether ages are reliable, that is, whether the clock has not jumped recently. */
  public synchronized boolean isReliable() {
    return jumps == 0 || steadyNanos.getAsLong() - lastJumpNanos > REPORT_TIME.toNanos();
  }

  public synchronized List<Message> warnings() {
    return isReliable() ? List.of() : List.of(warning());
  }

  @Override
  public synchronized void writeTo(MetricText text) {
    text.family("trainyard_clock_jumps_total", "counter", "Number of clock jumps.");
    text.sample("trainyard_clock_jumps_total", jumps);
  }
}
