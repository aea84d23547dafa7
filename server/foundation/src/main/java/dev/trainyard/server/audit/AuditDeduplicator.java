package dev.trainyard.server.audit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits how often the same action of the same user is recorded, because a page that follows a log
 * reads it every few seconds. The state is kept in memory, so an action may be recorded again after
 * a restart. Thread-safe.
 */
public final class AuditDeduplicator {
  private static final Duration SPAN = Duration.ofHours(1);

  /** If there are more recent actions, the oldest are evicted and recorded again. */
  private static final int MAX_ACTS = 10_000;

  private record Act(String userId, String action, String target) {}

  private final InstantSource clock;
  private final Map<Act, Instant> recent = new LinkedHashMap<>();

  public AuditDeduplicator(InstantSource clock) {
    this.clock = clock;
  }

  /** Returns whether an action must be recorded now, and remembers it as recorded. */
  public synchronized boolean admit(String userId, String action, String target) {
    Act act = new Act(userId, action, target);
    Instant now = clock.instant();
    Instant last = recent.get(act);
    if (last != null && !now.isBefore(last) && now.isBefore(last.plus(SPAN))) {
      return false;
    }
    recent.remove(act);
    recent.put(act, now);
    if (recent.size() > MAX_ACTS) {
      recent.remove(recent.keySet().iterator().next());
    }
    return true;
  }

  /** Forgets an action whose record could not be written. */
  public synchronized void forget(String userId, String action, String target) {
    recent.remove(new Act(userId, action, target));
  }
}
