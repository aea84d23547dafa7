package dev.trainyard.server.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.model.AppException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests counts of trees that a task has made large or deep. */
class TreeUsageTest {
  @TempDir private Path directory;

  private TreeUsage count() throws Exception {
    TreeUsage usage = new TreeUsage(FileHandle.find(directory, "").orElseThrow(), _ -> true);
    while (usage.step()) {
      // Counts everything.
    }
    return usage;
  }

  private Path createDeep(int levels) throws Exception {
    Path deepest = directory;
    for (int level = 0; level < levels; level++) {
      deepest = Files.createDirectory(deepest.resolve("d"));
    }
    return deepest;
  }

  @Test
  void step_directoriesBelowADeepPath_allCounted() throws Exception {
    Path deepest = createDeep(300);
    for (int i = 0; i < 50; i++) {
      Files.write(Files.createDirectory(deepest.resolve("n" + i)).resolve("file"), new byte[10]);
    }
    try (TreeUsage usage = count()) {
      assertThat(usage.directories()).isEqualTo(350);
      assertThat(usage.files()).isEqualTo(50);
      assertThat(usage.bytes()).isEqualTo(500);
    }
  }

  @Test
  void step_tooDeep_rejected() throws Exception {
    createDeep(401);
    assertThatThrownBy(this::count).isInstanceOf(AppException.class);
  }

  @Test
  void child_sharesTheNamesOnItsPathWithSiblings() {
    PendingDirectory parent = PendingDirectory.root("").child("a").child("b");
    assertThat(parent.child("c").parent()).isSameAs(parent.child("d").parent());
    assertThat(parent.child("c").depth()).isEqualTo(3);
  }
}
