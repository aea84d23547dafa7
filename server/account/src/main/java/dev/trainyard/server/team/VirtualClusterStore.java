package dev.trainyard.server.team;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Table of virtual clusters. Every method runs in the caller's transaction. */
final class VirtualClusterStore {
  private VirtualClusterStore() {}

  static List<VirtualCluster> list(Handle handle) {
    return handle
        .createQuery("select name, description, quota from virtual_cluster order by name_key")
        .map((rows, _) -> cluster(rows))
        .list();
  }

  static Optional<VirtualCluster> find(Handle handle, String name) {
    return handle
        .createQuery("select name, description, quota from virtual_cluster where name_key = :key")
        .bind("key", TeamNameRules.key(name))
        .map((rows, _) -> cluster(rows))
        .findOne();
  }

  static void insert(Handle handle, VirtualCluster cluster) {
    handle.execute(
        "insert into virtual_cluster (name, name_key, description, quota) values (?, ?, ?, ?)",
        cluster.name(),
        TeamNameRules.key(cluster.name()),
        cluster.description(),
        quota(cluster));
  }

  static void update(Handle handle, VirtualCluster cluster) {
    handle.execute(
        "update virtual_cluster set description = ?, quota = ? where name = ?",
        cluster.description(),
        quota(cluster),
        cluster.name());
  }

  static void delete(Handle handle, String name) {
    handle.execute("delete from virtual_cluster where name = ?", name);
  }

  /** Returns the number of unfinished jobs in the virtual cluster. */
  static int countUnfinishedJobs(Handle handle, String name) {
    return handle
        .createQuery(
            "select count(*) from job where state in (<states>) and virtual_cluster = :name")
        .bindList("states", LimitStore.UNFINISHED)
        .bind("name", name)
        .mapTo(Integer.class)
        .one();
  }

  private static String quota(VirtualCluster cluster) {
    return StoredLimits.toJson(StoredLimits.view(cluster.quota()));
  }

  private static VirtualCluster cluster(ResultSet rows) throws SQLException {
    return new VirtualCluster(
        rows.getString("name"),
        rows.getString("description"),
        StoredLimits.quota(rows.getString("quota")));
  }
}
