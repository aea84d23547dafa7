package dev.trainyard.engine.linux;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.OptionalLong;

/**
 * Remembers that a task's end was asked for. A link, as it comes to be with its text and needs no
 * room on the disk.
 *
 * @param file where the link is
 */
public record StopMark(Path file) {
  /**
   * The soonest deadline counts.
   *
   * @param deadline when the grace is over, by {@link System#nanoTime}, which counts from the
   *     machine's start and is the same for a later server
   */
  public void set(long deadline) throws IOException {
    Path text = Path.of(Long.toString(deadline));
    try {
      Files.createSymbolicLink(file, text);
    } catch (FileAlreadyExistsException e) {
      if (deadline - deadline().orElse(deadline) < 0) {
        Path sooner =
            Files.createSymbolicLink(
                file.resolveSibling(file.getFileName() + "." + deadline), text);
        Files.move(sooner, file, StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  public boolean isSet() {
    return Files.isSymbolicLink(file);
  }

  /** Empty if nobody asked for an end. */
  public OptionalLong deadline() throws IOException {
    try {
      return OptionalLong.of(Long.parseLong(Files.readSymbolicLink(file).toString()));
    } catch (NoSuchFileException e) {
      return OptionalLong.empty();
    }
  }
}
