package dev.trainyard.engine.linux;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.OptionalLong;

/**
 * Records persistently that a stop of a task was requested. The mark is a symbolic link, because a
 * link is created atomically together with its text and needs no disk space.
 *
 * @param file path of the link
 */
public record StopMark(Path file) {
  /**
   * Sets the mark; if it is already set, the earlier deadline is kept.
   *
   * @param deadline end of the grace period in terms of {@link System#nanoTime}, which counts from
   *     the boot of the host and is therefore valid for a later server process too
   */
  public void set(long deadline) throws IOException {
    Path target = Path.of(Long.toString(deadline));
    try {
      Files.createSymbolicLink(file, target);
    } catch (FileAlreadyExistsException e) {
      if (deadline - deadline().orElse(deadline) < 0) {
        Path earlierMark =
            Files.createSymbolicLink(
                file.resolveSibling(file.getFileName() + "." + deadline), target);
        Files.move(earlierMark, file, StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  public boolean isSet() {
    return Files.isSymbolicLink(file);
  }

  /** Returns the deadline; empty if no stop was requested. */
  public OptionalLong deadline() throws IOException {
    try {
      return OptionalLong.of(Long.parseLong(Files.readSymbolicLink(file).toString()));
    } catch (NoSuchFileException e) {
      return OptionalLong.empty();
    }
  }
}
