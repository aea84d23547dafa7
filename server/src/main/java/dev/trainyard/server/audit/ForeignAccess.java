package dev.trainyard.server.audit;

import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import java.time.InstantSource;
import java.util.Map;

/**
 * Records that an administrator looks at what belongs to another user. The record is written before
 * the caller gets anything; if it cannot be written, the request fails. Users who see a job because
 * its owner shares it are not recorded. Thread-safe.
 */
public final class ForeignAccess {
  private final Db db;
  private final Audit audit;
  private final RecordWindow window;

  public ForeignAccess(Db db, InstantSource clock) {
    this.db = db;
    this.audit = new Audit(clock);
    this.window = new RecordWindow(clock);
  }

  /** Records a read, at most once an hour for each administrator, action and target. */
  public void read(Caller caller, String ownerId, String action, String target) {
    if (!isForeign(caller, ownerId) || !window.admit(caller.userId(), action, target)) {
      return;
    }
    try {
      write(caller, action, target, Map.of());
    } catch (RuntimeException e) {
      window.forget(caller.userId(), action, target);
      throw e;
    }
  }

  /** Records an act, every time. */
  public void act(
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
