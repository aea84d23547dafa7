package dev.trainyard.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeDeleterTest {
  @TempDir Path directory;

  @Test
  void delete_withoutFollowingLinks() throws IOException {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Path outsideFile = Files.writeString(outside.resolve("kept"), "x");
    Path tree = Files.createDirectories(directory.resolve("tree/a/b/c"));
    Files.writeString(tree.resolve("file"), "y");
    Files.createSymbolicLink(tree.resolve("link"), outside);
    Files.createSymbolicLink(directory.resolve("tree/link"), outside);
    Files.createDirectory(directory.resolve("tree/.deleting-0"));
    Files.writeString(directory.resolve("tree/.deleting-0/z"), "z");
    TreeDeleter.delete(directory.resolve("tree"));
    assertThat(directory.resolve("tree")).doesNotExist();
    assertThat(outsideFile).exists();
  }

  @Test
  void delete_symbolicLink() throws IOException {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Path outsideFile = Files.writeString(outside.resolve("kept"), "x");
    Path link = Files.createSymbolicLink(directory.resolve("link"), outside);
    TreeDeleter.delete(link);
    assertThat(link).doesNotExist();
    assertThat(outsideFile).exists();
  }

  @Test
  void delete_deeperThanMaximumPathLength() throws IOException {
    Path tree = Files.createDirectory(directory.resolve("tree"));
    // The directories are created from the inside out because the path of the innermost directory
    // would be too long.
    for (int i = 0; i < 5_000; i++) {
      Path outer = Files.createDirectory(tree.resolve("outer"));
      Path inner = tree.resolve("d");
      if (Files.exists(inner)) {
        Files.move(inner, outer.resolve("d"));
      }
      Files.move(outer, inner);
    }
    TreeDeleter.delete(tree);
    assertThat(tree).doesNotExist();
  }

  /** A task may guess the names to which nested directories are moved. */
  @Test
  void delete_namesOfMovedDirectoriesOccupied() throws IOException {
    Path tree = Files.createDirectory(directory.resolve("tree"));
    for (int i = 0; i < 1_200; i++) {
      Files.createDirectories(tree.resolve(".deleting-" + i + "/a/b"));
    }
    TreeDeleter.delete(tree);
    assertThat(tree).doesNotExist();
  }

  @RepeatedTest(10)
  void delete_concurrentDeletion_leavesNothing() throws Exception {
    Path tree = Files.createDirectory(directory.resolve("tree"));
    for (int i = 0; i < 300; i++) {
      Files.createDirectories(tree.resolve("d" + i + "/e/f"));
      Files.writeString(tree.resolve("d" + i + "/x"), "x");
    }
    CyclicBarrier barrier = new CyclicBarrier(2);
    try (var executor = Executors.newFixedThreadPool(2)) {
      Callable<Void> deletion =
          () -> {
            barrier.await();
            TreeDeleter.delete(tree);
            return null;
          };
      Future<Void> otherDeletion = executor.submit(deletion);
      executor.submit(deletion).get();
      otherDeletion.get();
    }
    assertThat(tree).doesNotExist();
  }

  /** As root this test always passes, because root can enter any directory. */
  @Test
  void delete_directoriesWithoutOwnerPermissions() throws IOException {
    Path tree = Files.createDirectory(directory.resolve("tree"));
    for (String mode : List.of("---------", "r-xr-xr-x", "-w-------", "--x------")) {
      Path nested = Files.createDirectories(tree.resolve(mode).resolve("a/b"));
      Files.writeString(nested.resolve("file"), "x");
      for (Path path = nested; !path.equals(tree); path = path.getParent()) {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
        if (mode.equals("---------")) {
          break; // the directories above can no longer be entered
        }
      }
    }
    Files.setPosixFilePermissions(tree, PosixFilePermissions.fromString("---------"));
    TreeDeleter.delete(tree);
    assertThat(tree).doesNotExist();
  }

  @Test
  void delete_missingDirectory_noEffect() {
    TreeDeleter.delete(directory.resolve("no/such"));
    TreeDeleter.delete(directory.resolve("none"));
  }
}
