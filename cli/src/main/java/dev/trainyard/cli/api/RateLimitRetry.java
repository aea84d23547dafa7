package dev.trainyard.cli.api;

import dev.trainyard.model.AppException;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Waits for the time that the server requests and retries. Applies only to rate limits that expire
 * by themselves; limits that require an action of the user and failed sign-ins are reported
 * immediately. Thread-safe.
 */
public final class RateLimitRetry {
  /** Waits without reporting it. */
  public static final RateLimitRetry QUIET = reportingTo(message -> {});

  private static final Set<String> PASSING =
      Set.of(
          "error.too-many-requests",
          "error.too-many-requests-here",
          "error.too-many-submissions",
          "error.too-many-lists",
          "error.too-many-open",
          "error.too-many-open-here",
          "error.too-many-at-once");

  /** Maximum total waiting time of a command. */
  private static final Duration MOST = Duration.ofMinutes(10);

  /** Reports the first wait, and later only waits of at least this length. */
  private static final long WORTH_A_WORD_SECONDS = 10;

  private final Consumer<Message> listener;
  private final Sleep sleep;
  private final AtomicBoolean reported = new AtomicBoolean();

  /** Sleeps. */
  @FunctionalInterface
  interface Sleep {
    void sleep(Duration time) throws InterruptedException;
  }

  /** A request that the server may reject because of a rate limit. */
  @FunctionalInterface
  interface Try<T> {
    T once() throws IOException;
  }

  RateLimitRetry(Consumer<Message> listener, Sleep sleep) {
    this.listener = listener;
    this.sleep = sleep;
  }

  public static RateLimitRetry reportingTo(Consumer<Message> listener) {
    return new RateLimitRetry(listener, Thread::sleep);
  }

  <T> T until(Try<T> question) throws IOException {
    Duration waited = Duration.ZERO;
    while (true) {
      try {
        return question.once();
      } catch (AppException e) {
        Duration wait = wait(e);
        waited = waited.plus(wait);
        if (wait.isZero() || waited.compareTo(MOST) > 0) {
          throw e;
        }
        say(wait.toSeconds());
        pause(wait, e);
      }
    }
  }

  private static Duration wait(AppException refusal) {
    Message text = refusal.text();
    return PASSING.contains(text.code()) && text.params().get("seconds") instanceof Number seconds
        ? Duration.ofSeconds(Math.clamp(seconds.longValue(), 1, MOST.toSeconds() + 1))
        : Duration.ZERO;
  }

  private void say(long seconds) {
    if (!reported.getAndSet(true) || seconds >= WORTH_A_WORD_SECONDS) {
      listener.accept(Message.of("cli.slow-down", "seconds", seconds));
    }
  }

  private void pause(Duration wait, AppException refusal) {
    try {
      sleep.sleep(wait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw refusal;
    }
  }
}
