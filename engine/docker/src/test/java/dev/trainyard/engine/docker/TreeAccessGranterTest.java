package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.TreeDeleter;
import dev.trainyard.engine.testkit.FileLease;
import dev.trainyard.engine.testkit.HugeDirectory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class TreeAccessGranterTest {
  private static final int TASK_USER = 234_567;
  private static final ServerAccount SERVER = new ServerAccount(345_678, 345_679);

  @TempDir Path directory;
  private Path tree;
  private Path nested;

  @BeforeEach
  void create() throws Exception {
    Assumptions.assumeTrue(TestHost.USER == 0, "only root changes owners");
    tree = Files.createDirectory(directory.resolve("tree"));
    nested = Files.createDirectory(tree.resolve("训练 %41"));
  }

  private static Path ofTask(Path file, String mode) throws Exception {
    Files.setAttribute(file, "unix:uid", TASK_USER);
    Files.setAttribute(file, "unix:gid", TASK_USER);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    return file;
  }

  private static String access(Path file) throws Exception {
    var attributes = Files.readAttributes(file, "unix:uid,gid,mode", LinkOption.NOFOLLOW_LINKS);
    return "%d:%d %o"
        .formatted(
            (Integer) attributes.get("uid"),
            (Integer) attributes.get("gid"),
            (Integer) attributes.get("mode") & 0777);
  }

  /** A kernel revokes a lease after 45 seconds. */
  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void makeReadable_leasedFilesAndPipes_doesNotWait() throws Exception {
    Path leased = ofTask(Files.createFile(nested.resolve("leased")), "---------");
    // The name is not valid UTF-8.
    Path raw = nested.resolve(Path.of(URI.create("file:///%FF%80")).getFileName());
    ofTask(Files.createFile(raw), "rw-------");
    Path pipe = nested.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path outside = Files.createFile(directory.resolve("outside"));
    String accessOutside = access(outside);
    Files.createSymbolicLink(nested.resolve("link"), outside);
    ofTask(nested, "rwx------");
    try (FileLease _ = FileLease.take(leased)) {
      TreeAccessGranter.makeReadable(tree, SERVER);
    }
    assertThat(access(nested)).isEqualTo("234567:345679 750");
    assertThat(access(leased)).isEqualTo("234567:345679 40");
    assertThat(access(raw)).isEqualTo("234567:345679 640");
    assertThat(access(outside)).isEqualTo(accessOutside);
  }

  /** Makes the tree that is its argument readable. */
  public static final class Grant {
    private Grant() {}

    public static void main(String[] arguments) throws Exception {
      TreeAccessGranter.makeReadable(Path.of(arguments[0]), SERVER);
    }
  }

  @Test
  void makeReadable_moreNamesThanFitIntoMemory_allReadable() throws Exception {
    HugeDirectory.fill(nested);
    Path last = ofTask(Files.createFile(nested.resolve("last")), "rw-------");
    assertThat(HugeDirectory.run(Grant.class, tree)).endsWith("exit code 0");
    assertThat(access(last)).isEqualTo("234567:345679 640");
  }

  @Test
  void makeReadable_moreLevelsThanDescriptors_readableToTheDepthOfArchives() throws Exception {
    Files.createDirectories(tree.resolve("d/".repeat(1_600)));
    Path file = ofTask(Files.createFile(tree.resolve("d/".repeat(399) + "file")), "rw-------");
    Path deep = ofTask(tree.resolve("d/".repeat(410)), "rwx------");
    assertThat(HugeDirectory.run(Grant.class, tree)).endsWith("exit code 0");
    assertThat(access(file)).isEqualTo("234567:345679 640");
    assertThat(access(deep)).isEqualTo("234567:234567 700");
    TreeDeleter.delete(tree);
  }
}
