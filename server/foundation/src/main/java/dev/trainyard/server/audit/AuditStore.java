package dev.trainyard.server.audit;

import dev.trainyard.model.Ulid;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** Table of the audit log. Every method runs in the caller's transaction. */
final class AuditStore {
  private AuditStore() {}

  static void insert(Handle handle, AuditEntry entry) {
    handle
        .createUpdate(
            "insert into audit (id, happened, user_id, user_name, token_id, address, action,"
                + " target, before_values, after_values) values (:id, :happened, :userId,"
                + " :userName, :tokenId, :address, :action, :target, :before, :after)")
        .bind("id", entry.id())
        .bind("happened", entry.happened().toEpochMilli())
        .bind("userId", entry.actor().userId())
        .bind("userName", entry.actor().userName())
        .bind("tokenId", entry.actor().tokenId())
        .bind("address", entry.actor().address())
        .bind("action", entry.action())
        .bind("target", entry.target())
        .bind("before", entry.before())
        .bind("after", entry.after())
        .execute();
  }

  /**
   * Returns records, newest first. A time range is queried as a range of IDs, because IDs begin
   * with the time.
   */
  static List<AuditEntry> list(Handle handle, AuditFilter filter, int limit) {
    Map<String, String> parameters = new LinkedHashMap<>();
    StringBuilder where = new StringBuilder("1 = 1");
    if (!filter.user().isEmpty()) {
      where.append(" and lower(user_name) = :user");
      parameters.put("user", filter.user().toLowerCase(Locale.ROOT));
    }
    if (filter.action().endsWith(".*")) {
      // In the order of characters, the slash follows the dot.
      String area = filter.action().substring(0, filter.action().length() - 2);
      where.append(" and action >= :actionFrom and action < :actionTo");
      parameters.put("actionFrom", area + ".");
      parameters.put("actionTo", area + "/");
    } else if (!filter.action().isEmpty()) {
      where.append(" and action = :action");
      parameters.put("action", filter.action());
    }
    if (!filter.target().isEmpty()) {
      where.append(" and target = :target");
      parameters.put("target", filter.target());
    }
    filter.since().ifPresent(since -> parameters.put("since", Ulid.firstAt(since)));
    filter.until().ifPresent(until -> parameters.put("until", Ulid.firstAt(until)));
    filter.belowId().ifPresent(id -> parameters.put("below", id));
    where.append(parameters.containsKey("since") ? " and id >= :since" : "");
    where.append(parameters.containsKey("until") ? " and id < :until" : "");
    where.append(parameters.containsKey("below") ? " and id < :below" : "");
    return handle
        .createQuery("select * from audit where " + where + " order by id desc limit :limit")
        .bindMap(parameters)
        .bind("limit", limit)
        .map((rows, context) -> entry(rows))
        .list();
  }

  /**
   * Deletes the oldest records before a time, at most {@code limit}, and returns the number of
   * deleted records.
   */
  static int deleteOldest(Handle handle, Instant before, int limit) {
    return handle.execute(
        "delete from audit where id in (select id from audit where id < ? order by id limit ?)",
        Ulid.firstAt(before),
        limit);
  }

  private static AuditEntry entry(ResultSet rows) throws SQLException {
    return new AuditEntry(
        rows.getString("id"),
        Instant.ofEpochMilli(rows.getLong("happened")),
        new Actor(
            rows.getString("user_id"),
            rows.getString("user_name"),
            rows.getString("token_id"),
            rows.getString("address")),
        rows.getString("action"),
        rows.getString("target"),
        rows.getString("before_values"),
        rows.getString("after_values"));
  }
}
