package dev.trainyard.engine.linux;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records persistently that a stop of a task was requested. The mark is a symbolic link, because a
 * link is created atomically together with its text and needs no disk space.
 *
 * @param file path of the link
 * @param expired path of a mark that {@link #createExpired} has created
 */
public record StopMark(Path file, Path expired) {
  private static final Logger LOG = LoggerFactory.getLogger(StopMark.class);
  private static final Path EXPIRED_DEADLINE = Path.of("0");

  /**
   * Creates a mark whose deadline has passed, unless the file exists. If the file system is out of
   * inodes, a task is marked with a second name of this mark, because a name needs no inode.
   */
  public static void createExpired(Path expired) {
    try {
      Files.createSymbolicLink(expired, EXPIRED_DEADLINE);
    } catch (FileAlreadyExistsException e) {
      LOG.trace("{} exists", expired);
    } catch (IOException e) {
      LOG.warn("failed to create {}", expired, e);
    }
  }

  /**
   * Sets the mark; if it is already set, the earlier deadline is kept. If the file system is out of
   * inodes, a later server process does not wait for the rest of the grace period.
   *
   * @param deadline end of the grace period in terms of {@link System#nanoTime}, which counts from
   *     the boot of the host and is therefore valid for a later server process too
   */
  public void set(long deadline) throws IOException {
    Path target = Path.of(Long.toString(deadline));
    try {
      create(file, target);
    } catch (FileAlreadyExistsException e) {
      if (deadline - deadline().orElse(deadline) < 0) {
        Path earlierMark = file.resolveSibling(file.getFileName() + "." + deadline);
        create(earlierMark, target);
        Files.move(earlierMark, file, StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  private void create(Path link, Path target) throws IOException {
    InodeFallback.createOrLink(() -> Files.createSymbolicLink(link, target), link, expired);
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
