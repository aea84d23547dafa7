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
 * Cordoned nodes. A cordon is independent of whether the node is present: a node that comes back is
 * still cordoned. Thread-safe.
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

  /** Returns the names of the nodes on which no further task may start. */
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

  /** Cordons a node; if it is already cordoned, only the reason changes. */
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

  /** Uncordons a node; has no effect if it is not cordoned. */
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
