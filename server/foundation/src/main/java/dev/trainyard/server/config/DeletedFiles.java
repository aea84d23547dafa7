package dev.trainyard.server.config;

import dev.trainyard.server.work.WorkPools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes directories in the background, because a directory may contain millions of files. A
 * directory is first moved to {@code <data>/deleted}, so that its path no longer exists when {@link
 * #delete} returns. After a crash, the next start deletes the rest. Thread-safe.
 */
public final class DeletedFiles implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeletedFiles.class);
  private static final int IDLE_SECONDS = 10;
  private static final int CLOSE_TIMEOUT_SECONDS = 5;

  private final Path root;
  private final Consumer<Path> deleter;
  private final ExecutorService background;

  /**
   * @param deleter deletes a directory with its content
   */
  public DeletedFiles(Path data, Consumer<Path> deleter) {
    this.root = data.resolve("deleted");
    this.deleter = deleter;
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("deletion").factory());
    executor.allowCoreThreadTimeOut(true);
    this.background = executor;
  }

  /** Deletes directories left by an earlier server process. */
  public void start() {
    try (var entries = Files.list(root)) {
      List<Path> trees = entries.toList();
      trees.forEach(tree -> background.execute(() -> deleteNow(tree)));
    } catch (NoSuchFileException e) {
      // Nothing has been deleted yet.
    } catch (IOException e) {
      LOG.warn("failed to list {}", root, e);
    }
  }

  /** Deletes a directory with its content; does nothing if it does not exist. */
  public void delete(Path directory) {
    Path target = root.resolve(directory.getFileName() + "." + System.nanoTime());
    try {
      Files.createDirectories(
          root, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Files.move(directory, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      return;
    } catch (IOException e) {
      // The directory is on another file system, or the server is not allowed to move it.
      LOG.debug("failed to move {}; deleting it in place", directory, e);
      WorkPools.FILES.run(
          () -> {
            deleter.accept(directory);
            return null;
          });
      return;
    }
    background.execute(() -> deleteNow(target));
  }

  private void deleteNow(Path tree) {
    try {
      deleter.accept(tree);
    } catch (RuntimeException e) {
      LOG.warn("failed to delete {}; the next start of the server will retry", tree, e);
    }
  }

  /**
   * Interrupts the deletion in progress and waits until it has released its resources, such as a
   * container of the engine. The next start deletes the rest.
   */
  @Override
  public void close() {
    background.shutdownNow();
    try {
      if (!background.awaitTermination(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        LOG.info("still waiting for a deletion to stop");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
