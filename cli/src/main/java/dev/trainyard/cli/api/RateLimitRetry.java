package dev.trainyard.cli.api;

import dev.trainyard.model.AppException;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Repeats requests that a rate limit rejected, after the time that the server requests. Applies
 * only to rate limits that expire by themselves; limits that require an action of the user and
 * failed sign-ins are reported immediately. Thread-safe.
 */
public final class RateLimitRetry {
  /** Waits without notifying the user. */
  public static final RateLimitRetry QUIET = reportingTo(message -> {});

  private static final Set<String> RETRYABLE_CODES =
      Set.of(
          "error.too-many-requests",
          "error.too-many-requests-here",
          "error.too-many-submissions",
          "error.too-many-lists",
          "error.too-many-open",
          "error.too-many-open-here",
          "error.too-many-at-once");

  /** Maximum total waiting time of a command. */
  private static final Duration MAX_TOTAL_WAIT = Duration.ofMinutes(10);

  /**
   * A wait of at least this length is always reported; a shorter wait is reported only if it is the
   * first one.
   */
  private static final long MIN_REPORTED_SECONDS = 10;

  private final Consumer<Message> listener;
  private final Sleeper sleeper;
  private final AtomicBoolean reported = new AtomicBoolean();

  /** Sleeps for a duration; tests replace it. */
  @FunctionalInterface
  interface Sleeper {
    void sleep(Duration time) throws InterruptedException;
  }

  /** A request that the server may reject because of a rate limit. */
  @FunctionalInterface
  interface Request<T> {
    T send() throws IOException;
  }

  RateLimitRetry(Consumer<Message> listener, Sleeper sleeper) {
    this.listener = listener;
    this.sleeper = sleeper;
  }

  public static RateLimitRetry reportingTo(Consumer<Message> listener) {
    return new RateLimitRetry(listener, Thread::sleep);
  }

  <T> T run(Request<T> request) throws IOException {
    Duration totalWait = Duration.ZERO;
    while (true) {
      try {
        return request.send();
      } catch (AppException e) {
        Duration requestedWait = requestedWait(e);
        totalWait = totalWait.plus(requestedWait);
        if (requestedWait.isZero() || totalWait.compareTo(MAX_TOTAL_WAIT) > 0) {
          throw e;
        }
        report(requestedWait.toSeconds());
        sleep(requestedWait, e);
      }
    }
  }

  private static Duration requestedWait(AppException error) {
    Message message = error.text();
    return RETRYABLE_CODES.contains(message.code())
            && message.params().get("seconds") instanceof Number seconds
        ? Duration.ofSeconds(Math.clamp(seconds.longValue(), 1, MAX_TOTAL_WAIT.toSeconds() + 1))
        : Duration.ZERO;
  }

  private void report(long seconds) {
    if (!reported.getAndSet(true) || seconds >= MIN_REPORTED_SECONDS) {
      listener.accept(Message.of("cli.slow-down", "seconds", seconds));
    }
  }

  private void sleep(Duration requestedWait, AppException error) {
    try {
      sleeper.sleep(requestedWait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw error;
    }
  }
}
