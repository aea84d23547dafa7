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

/** Where directories go before they are deleted, so that none is ever seen half deleted. */
final class Trash {
  private static final long BLOCK = 4096;
  private static final long SMALL = 32 * BLOCK;
  private static final long SMALL_SPEC = 4 * BLOCK;

  private final Path place;

  Trash(Path place) {
    this.place = place;
  }

  /** Out of the way at once; where it is now, or empty handed if there was none. */
  Path take(Path directory) throws IOException {
    Path gone = place.resolve(directory.getFileName() + "." + System.nanoTime());
    try {
      return Files.move(directory, gone, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      return gone;
    }
  }

  /** What is in it: at the start what a killed server left. */
  List<Path> list() throws IOException {
    try (var leftovers = Files.list(place)) {
      return leftovers.toList();
    }
  }

  /**
   * Whether the task has added next to nothing to what was made for it, so that little is to be
   * deleted. A wrong answer costs room on the disk for a while, no more.
   */
  static boolean isSmall(Path directory) {
    if (Files.exists(directory.resolve("root"))) {
      return false; // of an ordinary user's sandbox, where more is made for a task
    }
    try {
      // Holds all that was made for the task: its script, its variables.
      long room = SMALL_SPEC - Files.size(directory.resolve("spec.json"));
      try (var layers = Files.newDirectoryStream(directory, "layer*.upper")) {
        for (Path layer : layers) {
          room = room < 0 ? room : Math.min(room, SMALL - weight(layer, SMALL));
        }
      }
      return room >= 0;
    } catch (IOException | DirectoryIteratorException e) {
      return false; // gone, or so deep that it has no path, or closed by its owner
    }
  }

  /** What is in it, every file with at least a block; more than the most if it is too much. */
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

  /** What a task left may still be changed, by another that was handed an open directory of it. */
  static void deleteTree(Path tree) throws IOException {
    try {
      TreeDeleter.delete(tree);
    } catch (UncheckedIOException e) {
      throw new IOException("files of a task can't be deleted: " + e.getCause().getMessage(), e);
    }
  }
}
