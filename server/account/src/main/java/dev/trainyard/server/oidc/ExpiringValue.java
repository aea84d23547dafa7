package dev.trainyard.server.oidc;

import dev.trainyard.model.AppException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A value fetched from the provider on demand and cached for a limited time. Concurrent callers
 * wait for a single fetch. If the fetch fails, the provider is not queried again immediately.
 * Thread-safe.
 */
final class ExpiringValue<T> {
  private static final Logger LOG = LoggerFactory.getLogger(ExpiringValue.class);
  private static final Duration REFRESH_INTERVAL = Duration.ofHours(1);
  private static final Duration MAX_AGE = Duration.ofDays(1);
  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(5);
  private static final Duration MIN_REFETCH_INTERVAL = Duration.ofMinutes(1);

  private final Supplier<T> source;
  private final InstantSource clock;
  private Optional<T> value = Optional.empty();
  private Instant fetchedAt = Instant.MIN;
  private Instant attemptedAt = Instant.MIN;
  private Optional<AppException> failure = Optional.empty();

  /**
   * @param source fetches the value; throws AppException if this fails
   */
  ExpiringValue(Supplier<T> source, InstantSource clock) {
    this.source = source;
    this.clock = clock;
  }

  /**
   * Returns a value that is at most one hour old, or at most one day old if the provider is
   * unavailable.
   */
  synchronized T value() {
    Instant now = clock.instant();
    if (value.isPresent() && !isOlder(fetchedAt, REFRESH_INTERVAL, now)) {
      return value.get();
    }
    if (failure.isEmpty() || isOlder(attemptedAt, RETRY_INTERVAL, now)) {
      fetch(now);
    }
    if (value.isPresent() && !isOlder(fetchedAt, MAX_AGE, now)) {
      return value.get();
    }
    AppException lastFailure = failure.orElseThrow();
    throw new AppException(lastFailure.code(), lastFailure.text());
  }

  /**
   * Fetches the value again because the current value lacks an entry, such as a new key. Returns
   * empty if the last fetch was less than a minute ago, or if this fetch fails.
   */
  synchronized Optional<T> refetch() {
    Instant now = clock.instant();
    if (!isOlder(attemptedAt, MIN_REFETCH_INTERVAL, now)) {
      return Optional.empty();
    }
    fetch(now);
    return failure.isPresent() ? Optional.empty() : value;
  }

  private void fetch(Instant now) {
    attemptedAt = now;
    try {
      value = Optional.of(source.get());
      fetchedAt = now;
      failure = Optional.empty();
    } catch (AppException e) {
      LOG.warn("request to the OpenID Connect provider failed: {}", e.getMessage());
      failure = Optional.of(e);
    }
  }

  /**
   * Returns whether the age has been reached since a time. Returns true if the time is in the
   * future because the clock was set back, so that the lifetime of a value is never extended.
   */
  private static boolean isOlder(Instant time, Duration age, Instant now) {
    return time.equals(Instant.MIN)
        || now.isBefore(time)
        || Duration.between(time, now).compareTo(age) >= 0;
  }
}
