package dev.trainyard.server.audit;

import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Records that an administrator accesses data of another user. The record is written before the
 * administrator receives any data; if writing it fails, the request fails. Access to a job that its
 * owner has shared is not recorded. Thread-safe.
 */
public final class ForeignAccess {
  private static final int LOCK_COUNT = 64;

  private final Db db;
  private final Audit audit;
  private final AuditDeduplicator deduplicator;
  private final List<Lock> locks =
      Stream.<Lock>generate(ReentrantLock::new).limit(LOCK_COUNT).toList();

  public ForeignAccess(Db db, InstantSource clock) {
    this.db = db;
    this.audit = new Audit(clock);
    this.deduplicator = new AuditDeduplicator(clock);
  }

  /**
   * Records a read, at most once an hour for each administrator, action and target. Returns only
   * after the record was written, even if a concurrent request writes it.
   */
  public void recordRead(Caller caller, String ownerId, String action, String target) {
    if (!isForeign(caller, ownerId)) {
      return;
    }
    Lock lock = lockFor(caller, action, target);
    lock.lock();
    try {
      if (deduplicator.admit(caller.userId(), action, target)) {
        writeOrForget(caller, action, target);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns a lock for a read. The same read always has the same lock, which other reads may share.
   */
  private Lock lockFor(Caller caller, String action, String target) {
    int hash = Objects.hash(caller.userId(), action, target);
    return locks.get(Math.floorMod(hash, locks.size()));
  }

  private void writeOrForget(Caller caller, String action, String target) {
    boolean written = false;
    try {
      write(caller, action, target, Map.of());
      written = true;
    } finally {
      if (!written) {
        deduplicator.forget(caller.userId(), action, target);
      }
    }
  }

  /** Records an action, even if it was recorded before. */
  public void recordAction(
      Caller caller, String ownerId, String action, String target, Map<String, ?> details) {
    if (isForeign(caller, ownerId)) {
      write(caller, action, target, details);
    }
  }

  private static boolean isForeign(Caller caller, String ownerId) {
    return caller.admin() && !caller.userId().equals(ownerId);
  }

  private void write(Caller caller, String action, String target, Map<String, ?> details) {
    db.write(
        handle -> {
          audit.record(handle, Actor.of(caller), action, target, Map.of(), details);
          return null;
        });
  }
}
