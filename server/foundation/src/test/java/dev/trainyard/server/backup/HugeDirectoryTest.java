package dev.trainyard.server.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.testkit.HugeDirectory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HugeDirectoryTest {
  @TempDir private Path directory;

  /** Backs up the tree that is its argument and prints the number of entries. */
  public static final class TreeBackup {
    private TreeBackup() {}

    public static void main(String[] arguments) throws IOException {
      Manifest begun = Manifest.initial("1.0", 2, 0, "sqlite");
      ArchiveWriter writer = new ArchiveWriter(OutputStream.nullOutputStream());
      writer.begin(begun);
      TreeDump dump = new TreeDump(writer);
      Manifest.Tree tree = dump.write(Path.of(arguments[0]), "home");
      writer.finish(begun, Map.of(), Map.of("home", tree), dump.skipped());
      System.out.println(tree.entries() + " entries, " + dump.skipped() + " skipped");
    }
  }

  @Test
  void write_moreNamesThanFitIntoMemory_complete() throws Exception {
    HugeDirectory.fill(directory);
    assertThat(HugeDirectory.run(TreeBackup.class, directory))
        .endsWith(HugeDirectory.NAME_COUNT + 1 + " entries, 0 skipped", "exit code 0");
  }
}
