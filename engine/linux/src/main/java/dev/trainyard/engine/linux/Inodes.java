package dev.trainyard.engine.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * The inodes of a file system: each file and directory needs one.
 *
 * @param total number of inodes; 0 if the file system has no fixed number
 */
public record Inodes(long total, long free) {
  private static final int STATFS_BYTES = 120;
  private static final int TOTAL_OFFSET = 40;
  private static final int FREE_OFFSET = 48;

  /** Reads the current numbers of the file system that contains a path. */
  public static Inodes of(Path path) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment result = arena.allocate(STATFS_BYTES, 8);
      Linux.call(
          "read the inodes of " + path,
          SystemCall.STATFS,
          Linux.text(arena, path.toString()),
          result.address());
      return new Inodes(
          result.get(ValueLayout.JAVA_LONG, TOTAL_OFFSET),
          result.get(ValueLayout.JAVA_LONG, FREE_OFFSET));
    }
  }
}
