package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.testkit.HugeDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HugeDirectoryTest {
  @TempDir private Path directory;

  /** Deletes the tree that is its argument. */
  public static final class Deletion {
    private Deletion() {}

    public static void main(String[] arguments) throws IOException {
      Trash.deleteTree(Path.of(arguments[0]));
    }
  }

  @Test
  void deleteTree_moreNamesThanFitIntoMemory_deleted() throws Exception {
    Path tree = Files.createDirectory(directory.resolve("tree"));
    HugeDirectory.fill(tree);
    HugeDirectory.fill(Files.createDirectory(tree.resolve("nested")));
    assertThat(HugeDirectory.run(Deletion.class, tree)).containsExactly("exit code 0");
    assertThat(tree).doesNotExist();
  }
}
