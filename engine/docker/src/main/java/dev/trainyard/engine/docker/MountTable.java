package dev.trainyard.engine.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The current mounts as reported by the kernel. */
final class MountTable {
  private MountTable() {}

  /** Returns the mounts at a path or below, in reverse order. */
  static List<Path> mountsBelow(Path path) throws IOException {
    List<Path> mounts = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
      Path mount = Path.of(unescape(line.split(" ", 6)[4]));
      if (mount.startsWith(path)) {
        mounts.addFirst(mount);
      }
    }
    return mounts;
  }

  private static String unescape(String path) {
    return path.replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }
}
