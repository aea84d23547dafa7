package dev.trainyard.server.team;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobExtras;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import dev.trainyard.model.StorageMount;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * Rules for shared storages. If no shared storage exists, every storage name in a job refers to a
 * directory of the job's owner. If shared storages exist, a job may name only storages that are
 * granted to its owner. Thread-safe.
 */
public final class StorageService {
  private final Db db;
  private final Audit audit;

  public StorageService(Db db, Audit audit) {
    this.db = db;
    this.audit = audit;
  }

  public List<Storage> list() {
    return db.read(StorageStore::list);
  }

  public Storage create(Actor actor, Storage storage) {
    return db.write(
        handle -> {
          if (!StorageMount.isValidName(storage.name())) {
            throw new AppException(
                ErrorCode.BAD_REQUEST, Message.of("error.storage-name", "name", storage.name()));
          }
          if (StorageStore.find(handle, storage.name()).isPresent()) {
            throw new AppException(
                ErrorCode.NAME_TAKEN, Message.of("error.storage-taken", "name", storage.name()));
          }
          StorageStore.insert(handle, storage);
          String target = "storage:" + storage.name();
          audit.record(handle, actor, "storage.create", target, Map.of(), view(storage));
          return storage;
        });
  }

  /** Deletes the storage; its content stays on disk. */
  public void delete(Actor actor, String name) {
    db.write(
        handle -> {
          Storage storage = StorageStore.find(handle, name).orElseThrow(() -> notFound(name));
          int jobCount = StorageStore.countUnfinishedJobs(handle, storage.name());
          if (jobCount > 0) {
            throw new AppException(
                ErrorCode.CONFLICT,
                Message.of("error.storage-has-jobs", "name", storage.name())
                    .with("count", jobCount));
          }
          GroupStore.deleteGrants(handle, GroupStore.STORAGE, storage.name());
          StorageStore.delete(handle, storage.name());
          String target = "storage:" + storage.name();
          audit.record(handle, actor, "storage.delete", target, view(storage), Map.of());
          return null;
        });
  }

  /**
   * Records which shared storages a new job uses; throws if a storage is not granted. Runs in the
   * transaction that stores the job.
   */
  public void admit(Handle handle, Caller caller, JobId job, JobExtras extras) {
    if (extras.storages().isEmpty() && !extras.defaultStorages()) {
      return;
    }
    List<Storage> allStorages = StorageStore.list(handle);
    List<String> granted = GroupStore.grantsOf(handle, caller.userId(), GroupStore.STORAGE);
    for (StorageMount mount : allStorages.isEmpty() ? List.<StorageMount>of() : extras.storages()) {
      Storage storage =
          allStorages.stream()
              .filter(candidate -> candidate.name().equals(mount.name()))
              .filter(candidate -> caller.admin() || granted.contains(candidate.name()))
              .findFirst()
              .orElseThrow(() -> notFound(mount.name()));
      StorageStore.recordUse(handle, job, mount, storage.readOnly());
    }
    if (extras.defaultStorages()) {
      allStorages.stream()
          .filter(Storage::isDefault)
          .filter(storage -> caller.admin() || granted.contains(storage.name()))
          .filter(storage -> extras.storages().stream().noneMatch(mount(storage)::overlaps))
          .forEach(
              storage -> StorageStore.recordUse(handle, job, mount(storage), storage.readOnly()));
    }
  }

  private static StorageMount mount(Storage storage) {
    return new StorageMount(storage.name(), "/mnt/" + storage.name());
  }

  /**
   * Returns the shared storages of a job with their mount paths; the value states whether a storage
   * is read-only.
   */
  public List<Map.Entry<StorageMount, Boolean>> usedBy(JobId job) {
    return db.read(handle -> StorageStore.usedBy(handle, job));
  }

  static Map<String, Object> view(Storage storage) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", storage.name());
    view.put("description", storage.description());
    view.put("readOnly", storage.readOnly());
    view.put("default", storage.isDefault());
    return view;
  }

  private static AppException notFound(String name) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-storage", "name", name));
  }
}
