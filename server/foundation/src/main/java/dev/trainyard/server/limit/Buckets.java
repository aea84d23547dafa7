package dev.trainyard.server.limit;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A token bucket for each key. Of a bucket only the moment is kept at which it will be full again,
 * so that taking is one compare-and-set, and a full one need not be kept at all.
 *
 * <p>Memory is bounded: with too many keys the full buckets are dropped; if all are in use, which
 * takes more senders than there are places, those that come then share one. Thread-safe.
 */
final class Buckets {
  private static final int MOST_KEYS = 50_000;
  private static final long SWEEP_EVERY = Duration.ofSeconds(1).toNanos();

  private final long interval;
  private final long depth;
  private final LongSupplier nanos;
  private final int mostKeys;
  private final ConcurrentMap<String, AtomicLong> full = new ConcurrentHashMap<>();
  private final AtomicLong shared;
  private final AtomicLong swept;

  /**
   * @param nanos a clock that never goes back, as {@link System#nanoTime}
   */
  Buckets(Rate rate, LongSupplier nanos) {
    this(rate, nanos, MOST_KEYS);
  }

  Buckets(Rate rate, LongSupplier nanos, int mostKeys) {
    this.interval = rate.interval();
    this.depth = interval * rate.count();
    this.nanos = nanos;
    this.mostKeys = mostKeys;
    this.shared = new AtomicLong(nanos.getAsLong());
    this.swept = new AtomicLong(nanos.getAsLong() - SWEEP_EVERY);
  }

  /** Takes one out; how many nanoseconds are missing if there is none, else 0. */
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

  /** Whoever holds a bucket that is dropped takes from a full one: nothing is lost but that one. */
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
