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
 * wait for a single fetch, and an unresponsive provider is not queried again by all of them at
 * once. Thread-safe.
 */
final class ExpiringValue<T> {
  private static final Logger LOG = LoggerFactory.getLogger(ExpiringValue.class);
  private static final Duration FRESH = Duration.ofHours(1);
  private static final Duration USABLE = Duration.ofDays(1);
  private static final Duration BETWEEN_FAILURES = Duration.ofSeconds(5);
  private static final Duration BETWEEN_FETCHES = Duration.ofMinutes(1);

  private final Supplier<T> source;
  private final InstantSource clock;
  private Optional<T> value = Optional.empty();
  private Instant fetched = Instant.MIN;
  private Instant tried = Instant.MIN;
  private Optional<AppException> failure = Optional.empty();

  /**
   * @param source throws AppException if the value cannot be fetched
   */
  ExpiringValue(Supplier<T> source, InstantSource clock) {
    this.source = source;
    this.clock = clock;
  }

  /**
   * Returns a value not older than one hour, or up to one day old while the provider is
   * unavailable.
   */
  synchronized T value() {
    Instant now = clock.instant();
    if (value.isPresent() && !isOlder(fetched, FRESH, now)) {
      return value.get();
    }
    if (failure.isEmpty() || isOlder(tried, BETWEEN_FAILURES, now)) {
      fetch(now);
    }
    if (value.isPresent() && !isOlder(fetched, USABLE, now)) {
      return value.get();
    }
    AppException why = failure.orElseThrow();
    throw new AppException(why.code(), why.text());
  }

  /**
   * Refetches the value because something is missing in it; returns empty if the last fetch was
   * less than a minute ago or if this fetch fails.
   */
  synchronized Optional<T> refetch() {
    Instant now = clock.instant();
    if (!isOlder(tried, BETWEEN_FETCHES, now)) {
      return Optional.empty();
    }
    fetch(now);
    return failure.isPresent() ? Optional.empty() : value;
  }

  private void fetch(Instant now) {
    tried = now;
    try {
      value = Optional.of(source.get());
      fetched = now;
      failure = Optional.empty();
    } catch (AppException e) {
      LOG.warn("request to the OpenID Connect provider failed: {}", e.getMessage());
      failure = Optional.of(e);
    }
  }

  /** If the clock was set back, the value counts as too old, so its lifetime is never extended. */
  private static boolean isOlder(Instant than, Duration age, Instant now) {
    return than.equals(Instant.MIN)
        || now.isBefore(than)
        || Duration.between(than, now).compareTo(age) >= 0;
  }
}
