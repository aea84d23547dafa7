package dev.trainyard.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.TreeDeleter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DeletedFilesTest {
  @TempDir Path data;

  private Path tree() throws IOException {
    Path tree = data.resolve("jobs/one");
    Files.createDirectories(tree.resolve("output"));
    Files.writeString(tree.resolve("output/file"), "content");
    return tree;
  }

  private void awaitEmpty() throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    boolean empty = false;
    while (!empty) {
      assertThat(System.nanoTime()).as("files are still there").isLessThan(deadline);
      try (var left = Files.list(data.resolve("deleted"))) {
        empty = left.findAny().isEmpty();
      }
      Thread.onSpinWait();
    }
  }

  @Test
  void delete_renamedImmediatelyAndDeletedLater() throws Exception {
    CountDownLatch slow = new CountDownLatch(1);
    try (DeletedFiles files =
        new DeletedFiles(
            data,
            tree -> {
              awaitUninterruptibly(slow);
              TreeDeleter.delete(tree);
            })) {
      Path tree = tree();
      files.delete(tree);
      assertThat(tree).doesNotExist();
      files.delete(tree);
      files.delete(tree());
      assertThat(tree).doesNotExist();
      slow.countDown();
      awaitEmpty();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void start_afterACrash_continues() throws Exception {
    Path tree = tree();
    try (DeletedFiles killed = new DeletedFiles(data, _ -> {})) {
      killed.start();
      killed.delete(tree);
    }
    try (DeletedFiles files = new DeletedFiles(data, TreeDeleter::delete)) {
      files.start();
      awaitEmpty();
    }
  }
}
