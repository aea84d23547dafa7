package dev.trainyard.engine.docker;

import dev.trainyard.engine.Volume;
import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.VolumeSource;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The volumes of tasks as separate ID-mapped mounts, which are passed to the containers. Through
 * these mounts, the IDs inside a container correspond to the IDs of its user on disk. Docker's
 * containers run with the host's IDs; without ID mapping, a task's root user would write files
 * owned by the host's root. Calls for different tasks may run concurrently.
 */
final class VolumeMounts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(VolumeMounts.class);

  private final Path directory;
  private final PrivilegedOperations privilegedOperations;
  private final ServerAccount server;

  /**
   * @param directory directory that only this class uses
   */
  VolumeMounts(Path directory, PrivilegedOperations privilegedOperations, ServerAccount server)
      throws IOException {
    this.directory = directory;
    this.privilegedOperations = privilegedOperations;
    this.server = server;
    Files.createDirectories(directory);
    Linux.changeMode(directory.toString(), 0700);
    if (MountTable.mountsBelow(directory).isEmpty()) {
      privilegedOperations.makePrivate(directory);
    }
  }

  /** Returns the mount point of a volume of a task, whether mounted or not. */
  Path mountPoint(TaskId task, int index) {
    return directory.resolve(task.toString()).resolve(Integer.toString(index));
  }

  /** Creates missing source directories and mount points of the volumes. */
  void createMountPoints(TaskId task, int idRange, List<Volume> volumes) throws IOException {
    IdRange range = IdRange.of(idRange);
    Files.createDirectories(directory.resolve(task.toString()));
    for (int i = 0; i < volumes.size(); i++) {
      prepareSource(volumes.get(i), range);
      Path mountPoint = mountPoint(task, i);
      if (!Files.exists(mountPoint)) {
        Files.createDirectory(mountPoint);
      }
    }
  }

  /** Creates the source directory of a volume if it is missing, and sets its owner. */
  void prepareSource(Volume volume, IdRange range) throws IOException {
    if (server.isRoot()) {
      VolumeSource.prepare(volume, range);
    } else {
      VolumeSource.prepare(volume, server.user());
    }
  }

  /** Mounts the volumes that are not mounted yet. */
  void mount(TaskId task, int idRange, ImageUser user, List<Volume> volumes) throws IOException {
    if (volumes.isEmpty()) {
      return;
    }
    List<Path> mounts = MountTable.mountsBelow(directory.resolve(task.toString()));
    for (int i = 0; i < volumes.size(); i++) {
      Path mountPoint = mountPoint(task, i);
      if (!mounts.contains(mountPoint)) {
        Volume volume = volumes.get(i);
        privilegedOperations.mount(
            new VolumeMount(volume.source(), mountPoint, volume.access(), idRange, user));
      }
    }
  }

  boolean areMounted(TaskId task, List<Volume> volumes) throws IOException {
    List<Path> mounts = MountTable.mountsBelow(directory.resolve(task.toString()));
    for (int i = 0; i < volumes.size(); i++) {
      if (!mounts.contains(mountPoint(task, i))) {
        return false;
      }
    }
    return true;
  }

  /** Unmounts a task's volumes; their contents are kept. */
  void remove(TaskId task) throws IOException {
    Path taskDirectory = directory.resolve(task.toString());
    if (!Files.exists(taskDirectory)) {
      return;
    }
    if (!MountTable.mountsBelow(taskDirectory).isEmpty()) {
      privilegedOperations.unmount(taskDirectory);
    }
    if (MountTable.mountsBelow(taskDirectory).isEmpty()) {
      deleteMountPoints(taskDirectory);
    }
  }

  /** Deletes only empty directories, so that no contents are lost, whatever else failed. */
  private static void deleteMountPoints(Path taskDirectory) throws IOException {
    try (var mountPoints = Files.newDirectoryStream(taskDirectory)) {
      for (Path mountPoint : mountPoints) {
        Files.delete(mountPoint);
      }
    }
    Files.delete(taskDirectory);
  }

  /** Returns the IDs of the tasks that have mount points here. */
  List<String> taskIds() throws IOException {
    try (var entries = Files.list(directory)) {
      return entries.map(path -> path.getFileName().toString()).toList();
    }
  }

  /** Removes the private mount, unless running tasks have volumes in it. */
  @Override
  public void close() {
    try {
      if (MountTable.mountsBelow(directory).equals(List.of(directory))) {
        privilegedOperations.unmount(directory);
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("failed to unmount {}", directory, e);
    }
  }
}
