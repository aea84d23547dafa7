package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.Volume;
import dev.trainyard.machine.IdRange;
import dev.trainyard.machine.Linux;
import dev.trainyard.machine.LinuxException;
import dev.trainyard.machine.Mounts;
import dev.trainyard.machine.UserNamespaces;
import dev.trainyard.machine.VolumeSource;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A task's volumes as mounts of their own, which the container is given: through them the ids of a
 * container are those of its user's range on the disk. Docker's containers run under the machine's
 * own ids; without this a task's root would write files of the machine's root. Thread-safe for
 * different tasks.
 */
final class VolumeMounts implements AutoCloseable {
  private final Path place;
  private final UserNamespaces namespaces;

  /**
   * @param place a directory of the server's, where nothing else is
   */
  VolumeMounts(Path place, UserNamespaces namespaces) throws IOException {
    this.place = place;
    this.namespaces = namespaces;
    Files.createDirectories(place);
    Linux.changeMode(place.toString(), 0700);
    if (mounted(place).isEmpty()) {
      // Of its own and private: what is mounted below must not turn up elsewhere.
      attach(Mounts.copyOf(place.toString()), place);
    }
  }

  /** Where a volume of a task is, whether it is mounted now or not. */
  Path of(TaskId task, int number) {
    return place.resolve(task.toString()).resolve(Integer.toString(number));
  }

  /** Makes what is missing of the volumes' directories and places. */
  void make(TaskId task, int idRange, List<Volume> volumes) throws IOException {
    IdRange range = IdRange.of(idRange);
    Files.createDirectories(place.resolve(task.toString()));
    for (int i = 0; i < volumes.size(); i++) {
      VolumeSource.make(volumes.get(i), range);
      if (volumes.get(i).access() == Volume.Access.SHARED) {
        giveToNobody(volumes.get(i).source());
      }
      Path mountPoint = of(task, i);
      if (!Files.exists(mountPoint)) {
        Files.createDirectory(mountPoint);
      }
    }
  }

  /**
   * A directory for all must have an owner whom every mount knows, or nobody could write there. It
   * can't be the machine's root: files of root's in it would become writable as well.
   */
  private static void giveToNobody(Path directory) throws IOException {
    int owner = (Integer) Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (owner == 0) {
      int nobody = IdRange.spare().base();
      Linux.changeOwner(Linux.AT_FDCWD, directory.toString(), nobody, nobody);
    }
  }

  /** Mounts what is not mounted yet. */
  void mount(TaskId task, int idRange, ImageUser user, List<Volume> volumes) throws IOException {
    if (volumes.isEmpty()) {
      return;
    }
    IdRange range = IdRange.of(idRange);
    List<Path> there = mounted(place.resolve(task.toString()));
    for (int i = 0; i < volumes.size(); i++) {
      if (!there.contains(of(task, i))) {
        mount(volumes.get(i), of(task, i), range, user);
      }
    }
  }

  private void mount(Volume volume, Path on, IdRange range, ImageUser user) throws IOException {
    boolean shared = volume.access() == Volume.Access.SHARED;
    String all = shared ? IdRange.spare().base() + " " + range.base() + " 1\n" : "";
    int namespace =
        namespaces.of(
            ImageUser.mapping(range, user.user()) + all,
            ImageUser.mapping(range, user.group()) + all);
    int mount = Mounts.copyOf(volume.source().toString());
    try {
      Mounts.mapIds(mount, namespace);
      boolean readOnly = volume.access() == Volume.Access.READ_ONLY;
      Mounts.restrict(
          mount, Mounts.NO_SETUID | Mounts.NO_DEVICES | (readOnly ? Mounts.READ_ONLY : 0));
    } catch (LinuxException e) {
      Linux.close(mount);
      if (e.isNotSupported()) {
        throw new EngineException(
            "the file system of "
                + volume.source()
                + " can't give files other owners for a container (id-mapped mounts): keep the"
                + " data on ext4, xfs, btrfs or tmpfs with Linux 5.12 or newer");
      }
      throw e;
    }
    attach(mount, on);
  }

  private static void attach(int mount, Path on) throws IOException {
    int target = Linux.open(on.toString(), Linux.O_PATH | Linux.O_DIRECTORY | Linux.O_NOFOLLOW);
    try {
      Mounts.attach(mount, target);
    } finally {
      Linux.close(target);
      Linux.close(mount);
    }
  }

  /** Unmounts a task's volumes; what is in them stays. */
  void remove(TaskId task) throws IOException {
    Path own = place.resolve(task.toString());
    if (!Files.exists(own)) {
      return;
    }
    for (Path mount : mounted(own)) {
      Mounts.detach(mount.toString());
    }
    if (mounted(own).isEmpty()) {
      deletePlaces(own);
    }
  }

  /** Plain deletes: nothing that still has something in it goes, whatever else went wrong. */
  private static void deletePlaces(Path own) throws IOException {
    try (var places = Files.newDirectoryStream(own)) {
      for (Path empty : places) {
        Files.delete(empty);
      }
    }
    Files.delete(own);
  }

  /** Names of tasks that have a place here. */
  List<String> tasks() throws IOException {
    try (var all = Files.list(place)) {
      return all.map(path -> path.getFileName().toString()).toList();
    }
  }

  /** What is mounted at a path or below, the last first. */
  private static List<Path> mounted(Path at) throws IOException {
    List<Path> found = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
      Path mount = Path.of(unescaped(line.split(" ", 6)[4]));
      if (mount.startsWith(at)) {
        found.addFirst(mount);
      }
    }
    return found;
  }

  private static String unescaped(String path) {
    return path.replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }

  @Override
  public void close() {
    namespaces.close();
  }
}
