package dev.trainyard.server.limit;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A token bucket for each key. A bucket is represented only by the time at which it will be full
 * again. Therefore taking a token is one compare-and-set, and full buckets need not be stored.
 *
 * <p>The number of keys is limited. When the limit is reached, full buckets are dropped. If no
 * bucket is full, additional senders share one bucket. Thread-safe.
 */
final class Buckets {
  private static final int MAX_KEYS = 50_000;
  private static final long SWEEP_INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

  private final long intervalNanos;
  private final long capacityNanos;
  private final LongSupplier nanos;
  private final int maxKeys;
  private final ConcurrentMap<String, AtomicLong> fullTimes = new ConcurrentHashMap<>();
  private final AtomicLong shared;
  private final AtomicLong lastSweep;

  /**
   * @param nanos a monotonic clock, such as {@link System#nanoTime}
   */
  Buckets(Rate rate, LongSupplier nanos) {
    this(rate, nanos, MAX_KEYS);
  }

  Buckets(Rate rate, LongSupplier nanos, int maxKeys) {
    this.intervalNanos = rate.interval();
    this.capacityNanos = intervalNanos * rate.count();
    this.nanos = nanos;
    this.maxKeys = maxKeys;
    this.shared = new AtomicLong(nanos.getAsLong());
    this.lastSweep = new AtomicLong(nanos.getAsLong() - SWEEP_INTERVAL_NANOS);
  }

  /**
   * Takes a token and returns 0; if none is available, returns the number of nanoseconds until one
   * is.
   */
  long take(String key) {
    long now = nanos.getAsLong();
    AtomicLong bucket = bucket(key, now);
    while (true) {
      long fullAt = bucket.get();
      long newFullAt = (fullAt - now > 0 ? fullAt : now) + intervalNanos;
      long waitNanos = newFullAt - now - capacityNanos;
      if (waitNanos > 0) {
        return waitNanos;
      }
      if (bucket.compareAndSet(fullAt, newFullAt)) {
        return 0;
      }
    }
  }

  private AtomicLong bucket(String key, long now) {
    AtomicLong existing = fullTimes.get(key);
    if (existing != null) {
      return existing;
    }
    if (fullTimes.size() >= maxKeys) {
      sweep(now);
      if (fullTimes.size() >= maxKeys) {
        return shared;
      }
    }
    return fullTimes.computeIfAbsent(key, _ -> new AtomicLong(now));
  }

  /**
   * Drops full buckets, at most once per interval. If another thread takes a token from a bucket
   * that is being dropped, only that token is not counted.
   */
  private void sweep(long now) {
    long last = lastSweep.get();
    if (now - last >= SWEEP_INTERVAL_NANOS && lastSweep.compareAndSet(last, now)) {
      fullTimes.values().removeIf(fullAt -> fullAt.get() - now <= 0);
    }
  }

  int keys() {
    return fullTimes.size();
  }
}
