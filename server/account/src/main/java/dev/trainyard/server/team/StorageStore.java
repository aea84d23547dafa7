package dev.trainyard.server.team;

import dev.trainyard.model.JobId;
import dev.trainyard.model.StorageMount;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Tables of shared storages and of their use by jobs. Every method runs in the caller's
 * transaction.
 */
final class StorageStore {
  private static final String SELECT = "select name, description, read_only, usual from storage ";

  private StorageStore() {}

  static List<Storage> list(Handle handle) {
    return handle.createQuery(SELECT + "order by name_key").map((rows, _) -> storage(rows)).list();
  }

  static Optional<Storage> find(Handle handle, String name) {
    return handle
        .createQuery(SELECT + "where name_key = :key")
        .bind("key", TeamNameRules.key(name))
        .map((rows, _) -> storage(rows))
        .findOne();
  }

  static void insert(Handle handle, Storage storage) {
    handle.execute(
        "insert into storage (name, name_key, description, read_only, usual)"
            + " values (?, ?, ?, ?, ?)",
        storage.name(),
        TeamNameRules.key(storage.name()),
        storage.description(),
        storage.readOnly() ? 1 : 0,
        storage.isDefault() ? 1 : 0);
  }

  static void delete(Handle handle, String name) {
    handle.execute("delete from storage where name = ?", name);
  }

  /** Returns the number of unfinished jobs that use the storage. */
  static int countUnfinishedJobs(Handle handle, String name) {
    return handle
        .createQuery(
            "select count(*) from job_storage s join job j on j.id = s.job_id"
                + " where s.storage = :name and j.state in (<states>)")
        .bindList("states", LimitStore.UNFINISHED)
        .bind("name", name)
        .mapTo(Integer.class)
        .one();
  }

  static void recordUse(Handle handle, JobId job, StorageMount mount, boolean readOnly) {
    handle.execute(
        "insert into job_storage (job_id, storage, mount_path, read_only) values (?, ?, ?, ?)",
        job.value(),
        mount.name(),
        mount.mountPath(),
        readOnly ? 1 : 0);
  }

  /** Returns the storages that a job uses; the value states whether a storage is read-only. */
  static List<Map.Entry<StorageMount, Boolean>> usedBy(Handle handle, JobId job) {
    return handle
        .createQuery(
            "select storage, mount_path, read_only from job_storage where job_id = :job"
                + " order by storage")
        .bind("job", job.value())
        .map(
            (rows, _) ->
                Map.entry(
                    new StorageMount(rows.getString("storage"), rows.getString("mount_path")),
                    rows.getInt("read_only") != 0))
        .list();
  }

  private static Storage storage(ResultSet rows) throws SQLException {
    return new Storage(
        rows.getString("name"),
        rows.getString("description"),
        rows.getInt("read_only") != 0,
        rows.getInt("usual") != 0);
  }
}
