package dev.trainyard.engine.process;

import dev.trainyard.engine.TreeDeleter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/**
 * Holds directories until they are deleted, so that no partially deleted directory is visible
 * elsewhere.
 */
final class Trash {
  private static final long BLOCK = 4096;
  private static final long MAX_SMALL_LAYER = 32 * BLOCK;
  private static final long MAX_SMALL_SPEC = 4 * BLOCK;

  private final Path directory;

  Trash(Path directory) {
    this.directory = directory;
  }

  /**
   * Moves a directory to the trash immediately and returns its new path, which does not exist if
   * there was no directory.
   */
  Path add(Path source) throws IOException {
    Path target = directory.resolve(source.getFileName() + "." + System.nanoTime());
    try {
      return Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      return target;
    }
  }

  /**
   * Returns the contents. At startup these are the directories that a killed server left behind.
   */
  List<Path> list() throws IOException {
    try (var leftovers = Files.list(directory)) {
      return leftovers.toList();
    }
  }

  /**
   * Returns whether a task has added almost nothing to its files, so that deleting them is cheap. A
   * wrong result only delays the release of disk space.
   */
  static boolean isSmall(Path directory) {
    if (Files.exists(directory.resolve("root"))) {
      return false; // the sandbox of an ordinary user creates more files for a task
    }
    try {
      // spec.json contains everything that was created for the task: its script and its variables.
      long allowance = MAX_SMALL_SPEC - Files.size(directory.resolve("spec.json"));
      try (var layers = Files.newDirectoryStream(directory, "layer*.upper")) {
        for (Path layer : layers) {
          allowance =
              allowance < 0
                  ? allowance
                  : Math.min(allowance, MAX_SMALL_LAYER - totalSize(layer, MAX_SMALL_LAYER));
        }
      }
      return allowance >= 0;
    } catch (IOException | DirectoryIteratorException e) {
      return false; // deleted, nested too deeply for a path, or not accessible
    }
  }

  /**
   * Returns the total size of the files, counting at least one block for each file; stops when the
   * total exceeds {@code limit}.
   */
  private static long totalSize(Path directory, long limit) throws IOException {
    long total = 0;
    try (var entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        BasicFileAttributes attributes =
            Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        total += attributes.isDirectory() ? BLOCK : BLOCK + attributes.size();
        if (attributes.isDirectory() && total <= limit) {
          total += totalSize(entry, limit - total);
        }
        if (total > limit) {
          return total;
        }
      }
    }
    return total;
  }

  /**
   * Deletes the files of a task. Another task may still change these files if it has received an
   * open file descriptor of one of the directories.
   */
  static void deleteTree(Path tree) throws IOException {
    try {
      TreeDeleter.delete(tree);
    } catch (UncheckedIOException e) {
      throw new IOException("failed to delete files of a task: " + e.getCause().getMessage(), e);
    }
  }
}
