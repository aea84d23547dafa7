package dev.trainyard.server.queue;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.Volume;
import dev.trainyard.model.JobExtras;
import dev.trainyard.model.StorageMount;
import dev.trainyard.server.storage.StorageDirectories;
import dev.trainyard.server.user.User;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The storages that a job file names. A name refers to a shared storage that an administrator
 * configured or, if there is none for this job, to a directory that belongs to the job's owner. A
 * directory of the owner requires no permission, because no other user can see it, and keeps data
 * from one job to the next. See docs/rationale.md.
 */
final class StorageVolumes {
  private final StorageDirectories directories;

  StorageVolumes(StorageDirectories directories) {
    this.directories = directories;
  }

  /**
   * @param sharedStorages the shared storages, each with a flag that is true if the storage is
   *     read-only
   */
  List<Volume> of(
      User owner, JobExtras extras, List<Map.Entry<StorageMount, Boolean>> sharedStorages) {
    List<Volume> volumes = new ArrayList<>();
    sharedStorages.forEach(storage -> volumes.add(shared(storage.getKey(), storage.getValue())));
    for (StorageMount mount : extras.storages()) {
      if (sharedStorages.stream()
          .noneMatch(storage -> storage.getKey().name().equals(mount.name()))) {
        volumes.add(ownedVolume(owner, mount));
      }
    }
    return volumes;
  }

  private Volume shared(StorageMount mount, boolean readOnly) {
    Path directory = directories.sharedStorage(mount.name());
    if (readOnly) {
      createDirectory(directory);
    }
    return new Volume(
        directory, mount.mountPath(), readOnly ? Volume.Access.READ_ONLY : Volume.Access.SHARED);
  }

  /**
   * Creates the directory of a read-only storage, which is empty until an administrator adds files.
   */
  private static void createDirectory(Path directory) {
    try {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    } catch (IOException e) {
      throw EngineException.transientFailure(
          "failed to create the storage " + directory.getFileName());
    }
  }

  private Volume ownedVolume(User owner, StorageMount mount) {
    return new Volume(
        directories.userStorage(owner.name(), mount.name()),
        mount.mountPath(),
        Volume.Access.OWNED);
  }
}
