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
   * @param root the directory of the file system that is mounted
   * @param flags of this mount, for example {@code noexec}
   * @param options of the file system
   */
  record Mount(
      Path place, String device, Path root, String type, Set<String> flags, Set<String> options) {
    boolean isOnDisk() {
      return DISK_TYPES.contains(type);
    }
  }

  private static final Set<String> DISK_TYPES =
      Set.of(
          "ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "zfs", "bcachefs", "erofs", "squashfs");

  /** Hidden from tasks, or created separately for each task. */
  private static final List<String> ELSEWHERE =
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
          // Container file systems, which come and go with their containers.
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
      String[] words = line.split(" ", -1);
      int separator = List.of(words).indexOf("-");
      mounts.add(
          new Mount(
              Path.of(unescape(words[4])),
              words[2],
              Path.of(unescape(words[3])),
              words[separator + 1],
              Set.copyOf(List.of(words[5].split(",", -1))),
              Set.copyOf(List.of(words[separator + 3].split(",", -1)))));
    }
    return new MountTable(List.copyOf(mounts));
  }

  private static String unescape(String path) {
    return OCTAL
        .matcher(path)
        .replaceAll(match -> String.valueOf((char) Integer.parseInt(match.group(1), 8)));
  }

  /**
   * Returns the file systems that contain the host's installed software: {@code /}, and others such
   * as {@code /usr} or {@code /opt} if they are separate.
   */
  List<Path> software(Path dataDirectory) {
    Set<Path> places = new TreeSet<>();
    places.add(Path.of("/"));
    for (Mount mount : mounts) {
      boolean elsewhere = ELSEWHERE.stream().anyMatch(mount.place()::startsWith);
      if (mount.isOnDisk()
          && !elsewhere
          && !mount.place().startsWith(dataDirectory)
          && Files.isDirectory(mount.place())) {
        places.add(mount.place());
      }
    }
    return List.copyOf(places);
  }

  /** Returns the mounts strictly below a directory, outermost first. */
  List<Mount> below(Path directory) {
    return mounts.stream()
        .filter(mount -> mount.place().startsWith(directory) && !mount.place().equals(directory))
        .sorted(Comparator.comparing(Mount::place))
        .toList();
  }

  /** Returns the mount that contains a path. */
  Optional<Mount> of(Path path) {
    // If several mounts have the same mount point, the last one is visible.
    Mount found = null;
    for (Mount mount : mounts) {
      if (path.startsWith(mount.place())
          && (found == null || mount.place().getNameCount() >= found.place().getNameCount())) {
        found = mount;
      }
    }
    return Optional.ofNullable(found);
  }

  /**
   * Returns every path where a directory or a part of it is visible, itself first, because bind
   * mounts show the same files in several places.
   */
  List<Path> aliases(Path directory) {
    Set<Path> places = new LinkedHashSet<>();
    places.add(directory);
    Optional<Mount> home = of(directory);
    if (home.isPresent()) {
      Path inside = home.get().root().resolve(home.get().place().relativize(directory)).normalize();
      for (Mount mount : mounts) {
        if (mount.device().equals(home.get().device())) {
          if (inside.startsWith(mount.root())) {
            places.add(mount.place().resolve(mount.root().relativize(inside)).normalize());
          } else if (mount.root().startsWith(inside)) {
            places.add(mount.place());
          }
        }
      }
    }
    return List.copyOf(places);
  }
}
