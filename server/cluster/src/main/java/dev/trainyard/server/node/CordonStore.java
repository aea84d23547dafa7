package dev.trainyard.server.node;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** SQL statements for cordons. */
final class CordonStore {
  private CordonStore() {}

  /** Returns all cordons by node name. */
  static Map<String, Cordon> loadAll(Handle handle) {
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

  /** Stores a cordon; replaces an existing cordon of the node. */
  static void put(Handle handle, Cordon cordon) {
    delete(handle, cordon.node());
    handle.execute(
        "insert into cordon (node, user_name, reason, created) values (?, ?, ?, ?)",
        cordon.node(),
        cordon.user(),
        cordon.reason(),
        cordon.since().toEpochMilli());
  }

  static void delete(Handle handle, String node) {
    handle.execute("delete from cordon where node = ?", node);
  }
}
