package dev.trainyard.server.team;

import dev.trainyard.model.Capability;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;

/** The table {@code capability_grant}. Every method runs in the caller's transaction. */
final class CapabilityStore {
  /** The kind of holder of a grant, with the column that contains the holder. */
  enum Holder {
    USER("user_id"),
    VIRTUAL_CLUSTER("virtual_cluster");

    private final String column;

    Holder(String column) {
      this.column = column;
    }
  }

  private CapabilityStore() {}

  static List<CapabilityGrant> list(Handle handle) {
    return handle
        .createQuery(
            "select c.capability, u.name, c.virtual_cluster, c.granted_by, c.granted"
                + " from capability_grant c left join users u on u.id = c.user_id"
                + " order by c.virtual_cluster, u.name, c.capability")
        .map(
            (rows, _) ->
                new CapabilityGrant(
                    Capability.valueOf(rows.getString(1)),
                    Optional.ofNullable(rows.getString(2)).orElse(""),
                    Optional.ofNullable(rows.getString(3)).orElse(""),
                    rows.getString(4),
                    Instant.ofEpochMilli(rows.getLong(5))))
        .list();
  }

  /** Returns the capabilities that jobs of this user in this virtual cluster may request. */
  static Set<Capability> listGranted(Handle handle, String userId, String virtualCluster) {
    return new TreeSet<>(
        handle
            .createQuery(
                "select capability from capability_grant"
                    + " where user_id = :user or virtual_cluster = :vc")
            .bind("user", userId)
            .bind("vc", virtualCluster)
            .mapTo(String.class)
            .map(Capability::valueOf)
            .list());
  }

  /** Inserts a grant; returns false if it already exists. */
  static boolean insert(
      Handle handle,
      Holder holder,
      String id,
      Capability capability,
      String grantedBy,
      Instant now) {
    return handle.execute(
            "insert into capability_grant ("
                + holder.column
                + ", capability, granted_by, granted) values (?, ?, ?, ?) on conflict do nothing",
            id,
            capability.name(),
            grantedBy,
            now.toEpochMilli())
        > 0;
  }

  /** Deletes a grant; returns false if it does not exist. */
  static boolean delete(Handle handle, Holder holder, String id, Capability capability) {
    return handle.execute(
            "delete from capability_grant where " + holder.column + " = ? and capability = ?",
            id,
            capability.name())
        > 0;
  }
}
