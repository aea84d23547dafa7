package dev.trainyard.server.node;

import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;

/**
 * Cordons and uncordons nodes. A cordon does not depend on the presence of the node: a node that
 * becomes available again is still cordoned. Thread-safe.
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
    return Set.copyOf(loadAll().keySet());
  }

  Map<String, Cordon> loadAll() {
    return db.read(CordonStore::loadAll);
  }

  /**
   * Cordons a node. If the node is already cordoned, a new reason replaces the reason and the user
   * of the cordon but not its time.
   */
  void put(Actor actor, String node, String reason) {
    db.write(
        handle -> {
          Cordon before = CordonStore.loadAll(handle).get(node);
          if (before != null && before.reason().equals(reason)) {
            return null;
          }
          Instant since = before == null ? clock.instant() : before.since();
          CordonStore.put(handle, new Cordon(node, actor.userName(), reason, since));
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

  /** Uncordons a node; has no effect if the node is not cordoned. */
  void remove(Actor actor, String node) {
    db.write(
        handle -> {
          Cordon before = CordonStore.loadAll(handle).get(node);
          if (before != null) {
            CordonStore.delete(handle, node);
            Map<String, String> previous = Map.of("reason", before.reason());
            audit.record(handle, actor, "node.uncordon", "node:" + node, previous, Map.of());
          }
          return null;
        });
  }
}
