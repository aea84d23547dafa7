package dev.trainyard.server.node;

import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * Machines that are taken out of planning. A machine need not be there: one that comes back is
 * still what was said of it. Thread-safe.
 */
public final class CordonService {
  private final Db db;
  private final Audit audit;
  private final InstantSource clock;

  public CordonService(Db db, InstantSource clock) {
    this.db = db;
    this.audit = new Audit(clock);
    this.clock = clock;
  }

  /** Names of the machines on which nothing more is to start. */
  public Set<String> nodes() {
    return Set.copyOf(all().keySet());
  }

  Map<String, Cordon> all() {
    return db.read(CordonService::all);
  }

  private static Map<String, Cordon> all(Handle handle) {
    Map<String, Cordon> cordons = new HashMap<>();
    handle
        .createQuery("select node, user_name, reason, created from cordon")
        .map(
            (rows, _) ->
                new Cordon(
                    rows.getString("node"),
                    rows.getString("user_name"),
                    rows.getString("reason"),
                    Instant.ofEpochMilli(rows.getLong("created"))))
        .forEach(cordon -> cordons.put(cordon.node(), cordon));
    return cordons;
  }

  /** Takes a machine out of planning; said again it changes only the reason. */
  void put(Actor actor, String node, String reason) {
    db.write(
        handle -> {
          Cordon before = all(handle).get(node);
          if (before != null && before.reason().equals(reason)) {
            return null;
          }
          handle.execute("delete from cordon where node = ?", node);
          handle.execute(
              "insert into cordon (node, user_name, reason, created) values (?, ?, ?, ?)",
              node,
              actor.userName(),
              reason,
              (before == null ? clock.instant() : before.since()).toEpochMilli());
          audit.record(
              handle,
              actor,
              "node.cordon",
              "node:" + node,
              before == null ? Map.of() : Map.of("reason", before.reason()),
              Map.of("reason", reason));
          return null;
        });
  }

  /** Puts a machine back; one that is not out stays as it is. */
  void remove(Actor actor, String node) {
    db.write(
        handle -> {
          Cordon before = all(handle).get(node);
          if (before != null) {
            handle.execute("delete from cordon where node = ?", node);
            Map<String, String> was = Map.of("reason", before.reason());
            audit.record(handle, actor, "node.uncordon", "node:" + node, was, Map.of());
          }
          return null;
        });
  }
}
