package dev.trainyard.cli.api;

import dev.trainyard.model.AppException;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Waits as long as the server asks for, and tries again. Only where waiting is all it takes: what a
 * person has to end first, and failed sign-ins, are told at once. Thread-safe.
 */
public final class RateLimitRetry {
  /** Waits and says nothing. */
  public static final RateLimitRetry QUIET = telling(message -> {});

  private static final Set<String> PASSING =
      Set.of(
          "error.too-many-requests",
          "error.too-many-requests-here",
          "error.too-many-submissions",
          "error.too-many-lists",
          "error.too-many-open",
          "error.too-many-open-here",
          "error.too-many-at-once");

  /** Nobody wants to find a command that has been silent for longer. */
  private static final Duration MOST = Duration.ofMinutes(10);

  /** Who sends much is told once that it goes slowly, and again only of waits like this. */
  private static final long WORTH_A_WORD_SECONDS = 10;

  private final Consumer<Message> tell;
  private final Sleep sleep;
  private final AtomicBoolean told = new AtomicBoolean();

  /** Lets time pass. */
  @FunctionalInterface
  interface Sleep {
    void sleep(Duration time) throws InterruptedException;
  }

  /** Something that may be refused as too much. */
  @FunctionalInterface
  interface Try<T> {
    T once() throws IOException;
  }

  RateLimitRetry(Consumer<Message> tell, Sleep sleep) {
    this.tell = tell;
    this.sleep = sleep;
  }

  public static RateLimitRetry telling(Consumer<Message> tell) {
    return new RateLimitRetry(tell, Thread::sleep);
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
    if (!told.getAndSet(true) || seconds >= WORTH_A_WORD_SECONDS) {
      tell.accept(Message.of("cli.slow-down", "seconds", seconds));
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
