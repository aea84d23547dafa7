package dev.trainyard.engine.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What is mounted where, read from {@code mountinfo}. */
record MountTable(List<Mount> mounts) {
  /** One line of it. */
  record Mount(Path place, String type, Set<String> options) {}

  private static final Set<String> DISK_TYPES =
      Set.of(
          "ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "zfs", "bcachefs", "erofs", "squashfs");

  /** Not shown to tasks, or made anew for each. */
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
              words[separator + 1],
              Set.of(words[separator + 3].split(","))));
    }
    return new MountTable(List.copyOf(mounts));
  }

  private static String unescape(String path) {
    return OCTAL
        .matcher(path)
        .replaceAll(match -> String.valueOf((char) Integer.parseInt(match.group(1), 8)));
  }

  /**
   * The file systems that together are the machine's installed software: {@code /}, and others as
   * {@code /usr} or {@code /opt} where they have one of their own.
   */
  List<Path> software(Path dataDirectory) {
    Set<Path> places = new TreeSet<>();
    places.add(Path.of("/"));
    for (Mount mount : mounts) {
      boolean elsewhere = ELSEWHERE.stream().anyMatch(mount.place()::startsWith);
      if (DISK_TYPES.contains(mount.type())
          && !elsewhere
          && !mount.place().startsWith(dataDirectory)
          && Files.isDirectory(mount.place())) {
        places.add(mount.place());
      }
    }
    return List.copyOf(places);
  }
}
