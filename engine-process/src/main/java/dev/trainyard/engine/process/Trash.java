package dev.trainyard.engine.process;

import dev.trainyard.engine.DeletedTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Where directories go before they are deleted, so that none is ever seen half deleted. */
final class Trash {
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

  /** What a killed server left. */
  void empty() throws IOException {
    try (var leftovers = Files.newDirectoryStream(place)) {
      for (Path leftover : leftovers) {
        deleteTree(leftover);
      }
    }
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
