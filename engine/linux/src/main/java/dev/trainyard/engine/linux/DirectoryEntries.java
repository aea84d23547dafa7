package dev.trainyard.engine.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.OptionalInt;

/**
 * Changes entries of open directories. Every name is a single path component, and a link is not
 * followed. A task therefore cannot redirect a change by replacing a parent directory.
 */
public final class DirectoryEntries {
  private static final int READ_WRITE = 2;
  private static final int CREATE_NEW = 0100 | 0200;
  private static final int UNNAMED = 0x400000 | Linux.O_DIRECTORY;
  private static final int FOLLOW_LINK = 0x400;
  private static final int REMOVE_DIRECTORY = 0x200;
  private static final int NO_REPLACE = 1;

  private DirectoryEntries() {}

  /**
   * Creates a file without a name in the file system of a directory, which vanishes unless it is
   * {@linkplain #link linked}. Returns its descriptor; empty if the file system does not support
   * this.
   */
  public static OptionalInt createUnnamedFile(FileHandle directory) throws IOException {
    try {
      return OptionalInt.of(Linux.open(directory.path().toString(), UNNAMED | READ_WRITE));
    } catch (LinuxException e) {
      // Kernels and file systems that do not know the flag see a directory opened for writing.
      if (e.isNotSupported()
          || e.errno() == LinuxException.EISDIR
          || e.errno() == LinuxException.ENOENT) {
        return OptionalInt.empty();
      }
      throw e;
    }
  }

  /** Creates a file that no account may open by its name; fails if the name exists. */
  public static int createFile(FileHandle directory, String name) throws IOException {
    return Linux.openAt(directory.descriptor(), name, CREATE_NEW | READ_WRITE);
  }

  /** Gives a name to a file without one; fails if the name exists. */
  public static void link(int file, FileHandle directory, String name) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      Linux.call(
          "link " + name,
          SystemCall.LINKAT,
          Linux.AT_FDCWD,
          Linux.text(arena, "/proc/self/fd/" + file),
          directory.descriptor(),
          Linux.text(arena, name),
          FOLLOW_LINK);
    }
  }

  /**
   * @param replace whether an existing file or empty directory of the new name is replaced
   */
  public static void rename(
      FileHandle fromDirectory, String from, FileHandle toDirectory, String to, boolean replace)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      Linux.call(
          "rename " + from,
          SystemCall.RENAMEAT2,
          fromDirectory.descriptor(),
          Linux.text(arena, from),
          toDirectory.descriptor(),
          Linux.text(arena, to),
          replace ? 0 : NO_REPLACE);
    }
  }

  public static void createDirectory(FileHandle directory, String name) throws IOException {
    Linux.createDirectory(directory.descriptor(), name, 0755);
  }

  public static void deleteFile(FileHandle directory, String name) throws IOException {
    remove(directory, name, 0);
  }

  /** Deletes an empty directory. */
  public static void deleteDirectory(FileHandle directory, String name) throws IOException {
    remove(directory, name, REMOVE_DIRECTORY);
  }

  private static void remove(FileHandle directory, String name, int flags) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      Linux.call(
          "delete " + name,
          SystemCall.UNLINKAT,
          directory.descriptor(),
          Linux.text(arena, name),
          flags);
    }
  }
}
