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
 * A task's volumes as separate ID-mapped mounts, which are passed to the container: through them
 * the IDs inside a container correspond to the IDs of its user on disk. Docker's containers run
 * with the host's IDs; without this a task's root user would write files owned by the host's root.
 * Thread-safe for different tasks.
 */
final class VolumeMounts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(VolumeMounts.class);

  private final Path place;
  private final PrivilegedOperations root;
  private final ServerAccount server;

  /**
   * @param place a directory used by this class only
   */
  VolumeMounts(Path place, PrivilegedOperations root, ServerAccount server) throws IOException {
    this.place = place;
    this.root = root;
    this.server = server;
    Files.createDirectories(place);
    Linux.changeMode(place.toString(), 0700);
    if (MountTable.at(place).isEmpty()) {
      root.makePrivate(place);
    }
  }

  /** Returns the mount point of a volume of a task, whether mounted or not. */
  Path of(TaskId task, int number) {
    return place.resolve(task.toString()).resolve(Integer.toString(number));
  }

  /** Creates the missing directories and mount points of the volumes. */
  void make(TaskId task, int idRange, List<Volume> volumes) throws IOException {
    IdRange range = IdRange.of(idRange);
    Files.createDirectories(place.resolve(task.toString()));
    for (int i = 0; i < volumes.size(); i++) {
      if (server.isRoot()) {
        VolumeSource.make(volumes.get(i), range);
      } else {
        VolumeSource.make(volumes.get(i), server.user());
      }
      Path mountPoint = of(task, i);
      if (!Files.exists(mountPoint)) {
        Files.createDirectory(mountPoint);
      }
    }
  }

  /** Mounts the volumes that are not mounted yet. */
  void mount(TaskId task, int idRange, ImageUser user, List<Volume> volumes) throws IOException {
    if (volumes.isEmpty()) {
      return;
    }
    List<Path> there = MountTable.at(place.resolve(task.toString()));
    for (int i = 0; i < volumes.size(); i++) {
      Path on = of(task, i);
      if (!there.contains(on)) {
        Volume volume = volumes.get(i);
        root.mount(new VolumeMount(volume.source(), on, volume.access(), idRange, user));
      }
    }
  }

  boolean areMounted(TaskId task, List<Volume> volumes) throws IOException {
    List<Path> there = MountTable.at(place.resolve(task.toString()));
    for (int i = 0; i < volumes.size(); i++) {
      if (!there.contains(of(task, i))) {
        return false;
      }
    }
    return true;
  }

  /** Unmounts a task's volumes; their contents are kept. */
  void remove(TaskId task) throws IOException {
    Path own = place.resolve(task.toString());
    if (!Files.exists(own)) {
      return;
    }
    if (!MountTable.at(own).isEmpty()) {
      root.unmount(own);
    }
    if (MountTable.at(own).isEmpty()) {
      deletePlaces(own);
    }
  }

  /** Deletes only empty directories, so that no contents are lost, whatever else failed. */
  private static void deletePlaces(Path own) throws IOException {
    try (var places = Files.newDirectoryStream(own)) {
      for (Path empty : places) {
        Files.delete(empty);
      }
    }
    Files.delete(own);
  }

  /** Returns the IDs of the tasks that have mount points here. */
  List<String> tasks() throws IOException {
    try (var all = Files.list(place)) {
      return all.map(path -> path.getFileName().toString()).toList();
    }
  }

  /** Removes the private mount, unless running tasks have volumes in it. */
  @Override
  public void close() {
    try {
      if (MountTable.at(place).equals(List.of(place))) {
        root.unmount(place);
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("failed to unmount {}", place, e);
    }
  }
}
