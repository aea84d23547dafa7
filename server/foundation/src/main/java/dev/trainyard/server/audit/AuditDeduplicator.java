package dev.trainyard.server.audit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits how often the same action of the same user is recorded, because a web page that shows the
 * log of a running job requests the log every few seconds. The state is kept in memory, so an
 * action may be recorded again after a restart. Thread-safe.
 */
public final class AuditDeduplicator {
  private static final Duration INTERVAL = Duration.ofHours(1);

  /**
   * Maximum number of remembered actions. If there are more, the oldest is evicted, and may then be
   * recorded again within the interval.
   */
  private static final int MAX_RECENT_ACTIONS = 10_000;

  private record ActionKey(String userId, String action, String target) {}

  private final InstantSource clock;
  private final Map<ActionKey, Instant> lastRecorded = new LinkedHashMap<>();

  public AuditDeduplicator(InstantSource clock) {
    this.clock = clock;
  }

  /** Returns whether an action must be recorded now, and remembers it as recorded. */
  public synchronized boolean admit(String userId, String action, String target) {
    ActionKey key = new ActionKey(userId, action, target);
    Instant now = clock.instant();
    Instant last = lastRecorded.get(key);
    if (last != null && !now.isBefore(last) && now.isBefore(last.plus(INTERVAL))) {
      return false;
    }
    lastRecorded.remove(key);
    lastRecorded.put(key, now);
    if (lastRecorded.size() > MAX_RECENT_ACTIONS) {
      lastRecorded.remove(lastRecorded.keySet().iterator().next());
    }
    return true;
  }

  /** Forgets an action whose record could not be written. */
  public synchronized void forget(String userId, String action, String target) {
    lastRecorded.remove(new ActionKey(userId, action, target));
  }
}
