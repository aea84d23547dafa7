package dev.trainyard.server.limit;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A token bucket for each key. A bucket is represented only by the time at which it will be full
 * again, so that taking a token is one compare-and-set, and full buckets need not be stored.
 *
 * <p>Memory is bounded: with too many keys the full buckets are dropped; if all are in use, which
 * requires more senders than the maximum number of keys, additional senders share one bucket.
 * Thread-safe.
 */
final class Buckets {
  private static final int MAX_KEYS = 50_000;
  private static final long SWEEP_EVERY = Duration.ofSeconds(1).toNanos();

  private final long interval;
  private final long depth;
  private final LongSupplier nanos;
  private final int mostKeys;
  private final ConcurrentMap<String, AtomicLong> full = new ConcurrentHashMap<>();
  private final AtomicLong shared;
  private final AtomicLong swept;

  /**
   * @param nanos a monotonic clock, such as {@link System#nanoTime}
   */
  Buckets(Rate rate, LongSupplier nanos) {
    this(rate, nanos, MAX_KEYS);
  }

  Buckets(Rate rate, LongSupplier nanos, int mostKeys) {
    this.interval = rate.interval();
    this.depth = interval * rate.count();
    this.nanos = nanos;
    this.mostKeys = mostKeys;
    this.shared = new AtomicLong(nanos.getAsLong());
    this.swept = new AtomicLong(nanos.getAsLong() - SWEEP_EVERY);
  }

  /** Takes a token; returns 0, or the number of nanoseconds until one is available. */
  long take(String key) {
    long now = nanos.getAsLong();
    AtomicLong bucket = bucket(key, now);
    while (true) {
      long fullAt = bucket.get();
      long later = (fullAt - now > 0 ? fullAt : now) + interval;
      long missing = later - now - depth;
      if (missing > 0) {
        return missing;
      }
      if (bucket.compareAndSet(fullAt, later)) {
        return 0;
      }
    }
  }

  private AtomicLong bucket(String key, long now) {
    AtomicLong known = full.get(key);
    if (known != null) {
      return known;
    }
    if (full.size() >= mostKeys) {
      sweep(now);
      if (full.size() >= mostKeys) {
        return shared;
      }
    }
    return full.computeIfAbsent(key, _ -> new AtomicLong(now));
  }

  /**
   * A thread that still uses a dropped bucket takes a token from a full one; only that token is not
   * counted.
   */
  private void sweep(long now) {
    long last = swept.get();
    if (now - last >= SWEEP_EVERY && swept.compareAndSet(last, now)) {
      full.values().removeIf(fullAt -> fullAt.get() - now <= 0);
    }
  }

  int keys() {
    return full.size();
  }
}
