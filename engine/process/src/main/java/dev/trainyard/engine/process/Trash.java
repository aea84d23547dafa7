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

/** Holds directories before they are deleted, so that none is ever visible half deleted. */
final class Trash {
  private static final long BLOCK = 4096;
  private static final long SMALL = 32 * BLOCK;
  private static final long SMALL_SPEC = 4 * BLOCK;

  private final Path place;

  Trash(Path place) {
    this.place = place;
  }

  /**
   * Moves a directory to the trash immediately and returns its new path, which does not exist if
   * there was no directory.
   */
  Path take(Path directory) throws IOException {
    Path gone = place.resolve(directory.getFileName() + "." + System.nanoTime());
    try {
      return Files.move(directory, gone, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      return gone;
    }
  }

  /** Returns the contents: at startup, what a killed server left. */
  List<Path> list() throws IOException {
    try (var leftovers = Files.list(place)) {
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
      // Contains everything that was created for the task: its script and variables.
      long allowance = SMALL_SPEC - Files.size(directory.resolve("spec.json"));
      try (var layers = Files.newDirectoryStream(directory, "layer*.upper")) {
        for (Path layer : layers) {
          allowance = allowance < 0 ? allowance : Math.min(allowance, SMALL - weight(layer, SMALL));
        }
      }
      return allowance >= 0;
    } catch (IOException | DirectoryIteratorException e) {
      return false; // gone, nested too deeply for a path, or not accessible
    }
  }

  /**
   * Returns the total size of the files, counting at least one block for each; stops when it
   * exceeds {@code most}.
   */
  private static long weight(Path directory, long most) throws IOException {
    long found = 0;
    try (var entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        BasicFileAttributes attributes =
            Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        found += attributes.isDirectory() ? BLOCK : BLOCK + attributes.size();
        if (attributes.isDirectory() && found <= most) {
          found += weight(entry, most - found);
        }
        if (found > most) {
          return found;
        }
      }
    }
    return found;
  }

  /**
   * Deletes files of a task, which another task may still change if it was given an open directory.
   */
  static void deleteTree(Path tree) throws IOException {
    try {
      TreeDeleter.delete(tree);
    } catch (UncheckedIOException e) {
      throw new IOException("failed to delete files of a task: " + e.getCause().getMessage(), e);
    }
  }
}
