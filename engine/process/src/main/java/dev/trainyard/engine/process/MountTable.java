package dev.trainyard.engine.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The mounts of the host, read from {@code mountinfo}. */
record MountTable(List<Mount> mounts) {
  /**
   * One line of the table.
   *
   * @param device identifies the file system
   * @param root the directory within the file system that the mount shows
   * @param flags flags of this mount, for example {@code noexec}
   * @param options options of the file system
   */
  record Mount(
      Path mountPoint,
      String device,
      Path root,
      String type,
      Set<String> flags,
      Set<String> options) {
    boolean isOnDisk() {
      return DISK_TYPES.contains(type);
    }
  }

  private static final Set<String> DISK_TYPES =
      Set.of(
          "ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "zfs", "bcachefs", "erofs", "squashfs");

  /** Directories that are hidden from tasks or created separately for each task. */
  private static final List<String> EXCLUDED_DIRECTORIES =
      List.of(
          "/proc",
          "/sys",
          "/dev",
          "/tmp",
          "/run",
          "/root",
          "/home",
          "/boot",
          "/mnt",
          "/media",
          "/srv",
          "/lost+found",
          // Container file systems, which are mounted and unmounted with their containers.
          "/var/lib/containerd",
          "/var/lib/containers",
          "/var/lib/docker",
          "/var/lib/kubelet",
          "/var/log",
          "/var/tmp");

  private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");

  static MountTable ofThisProcess() throws IOException {
    return parse(Files.readAllLines(Path.of("/proc/self/mountinfo")));
  }

  static MountTable parse(List<String> lines) {
    List<Mount> mounts = new ArrayList<>();
    for (String line : lines) {
      String[] fields = line.split(" ", -1);
      int separator = List.of(fields).indexOf("-");
      mounts.add(
          new Mount(
              Path.of(unescape(fields[4])),
              fields[2],
              Path.of(unescape(fields[3])),
              fields[separator + 1],
              Set.copyOf(List.of(fields[5].split(",", -1))),
              Set.copyOf(List.of(fields[separator + 3].split(",", -1)))));
    }
    return new MountTable(List.copyOf(mounts));
  }

  private static String unescape(String path) {
    return OCTAL
        .matcher(path)
        .replaceAll(match -> String.valueOf((char) Integer.parseInt(match.group(1), 8)));
  }

  /**
   * Returns the mount points of the file systems that contain the host's installed software: {@code
   * /}, and others such as {@code /usr} or {@code /opt} if they are separate.
   */
  List<Path> softwareFileSystems(Path dataDirectory) {
    Set<Path> mountPoints = new TreeSet<>();
    mountPoints.add(Path.of("/"));
    for (Mount mount : mounts) {
      boolean excluded = EXCLUDED_DIRECTORIES.stream().anyMatch(mount.mountPoint()::startsWith);
      if (mount.isOnDisk()
          && !excluded
          && !mount.mountPoint().startsWith(dataDirectory)
          && Files.isDirectory(mount.mountPoint())) {
        mountPoints.add(mount.mountPoint());
      }
    }
    return List.copyOf(mountPoints);
  }

  /** Returns the mounts strictly below a directory, outermost first. */
  List<Mount> mountsBelow(Path directory) {
    return mounts.stream()
        .filter(
            mount ->
                mount.mountPoint().startsWith(directory) && !mount.mountPoint().equals(directory))
        .sorted(Comparator.comparing(Mount::mountPoint))
        .toList();
  }

  /** Returns the mount that contains a path. */
  Optional<Mount> mountOf(Path path) {
    // If several mounts have the same mount point, the last mount is visible.
    Mount innermostMount = null;
    for (Mount mount : mounts) {
      if (path.startsWith(mount.mountPoint())
          && (innermostMount == null
              || mount.mountPoint().getNameCount() >= innermostMount.mountPoint().getNameCount())) {
        innermostMount = mount;
      }
    }
    return Optional.ofNullable(innermostMount);
  }

  /**
   * Returns every path at which a directory or a part of it is visible, because bind mounts show
   * the same files at several paths. The directory itself is the first element.
   */
  List<Path> aliases(Path directory) {
    Set<Path> paths = new LinkedHashSet<>();
    paths.add(directory);
    Optional<Mount> containingMount = mountOf(directory);
    if (containingMount.isPresent()) {
      Path pathInFileSystem =
          containingMount
              .get()
              .root()
              .resolve(containingMount.get().mountPoint().relativize(directory))
              .normalize();
      for (Mount mount : mounts) {
        if (mount.device().equals(containingMount.get().device())) {
          if (pathInFileSystem.startsWith(mount.root())) {
            paths.add(
                mount.mountPoint().resolve(mount.root().relativize(pathInFileSystem)).normalize());
          } else if (mount.root().startsWith(pathInFileSystem)) {
            paths.add(mount.mountPoint());
          }
        }
      }
    }
    return List.copyOf(paths);
  }
}
