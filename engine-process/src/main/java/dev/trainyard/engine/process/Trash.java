package dev.trainyard.engine.process;

import dev.trainyard.engine.DeletedTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** Where directories go before they are deleted, so that none is ever seen half deleted. */
final class Trash {
  private static final long SMALL_BYTES = 64 * 1024;

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
   * Whether the task has added nothing to what was made for it, so that little is to be deleted. A
   * wrong answer costs room on the disk for a while, no more.
   */
  static boolean isSmall(Path directory) throws IOException {
    if (Files.exists(directory.resolve("root"), LinkOption.NOFOLLOW_LINKS)) {
      return false; // of an ordinary user's sandbox, where more is made for a task
    }
    try (var layers = Files.newDirectoryStream(directory, "layer*.upper")) {
      for (Path layer : layers) {
        if (!holdsOnly(layer, "etc") || !holdsOnly(layer.resolve("etc"), "hosts", "hostname")) {
          return false;
        }
      }
    } catch (NoSuchFileException e) {
      return true;
    }
    return true;
  }

  private static boolean holdsOnly(Path directory, String... names) throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return Files.notExists(directory, LinkOption.NOFOLLOW_LINKS);
    }
    try (var entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        boolean ours = List.of(names).contains(entry.getFileName().toString());
        if (!ours || Files.size(entry) > SMALL_BYTES) {
          return false;
        }
      }
    }
    return true;
  }

  /** What a task left may still be changed, by another that was handed an open directory of it. */
  static void deleteTree(Path tree) throws IOException {
    try {
      DeletedTree.delete(tree);
    } catch (UncheckedIOException e) {
      throw new IOException("files of a task can't be deleted: " + e.getCause().getMessage(), e);
    }
  }
}
