package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeduplicatedFilesTest {
  private static final String NAME = "runtime.d/peers.tsv";

  @TempDir Path directory;
  private final DeduplicatedFiles deduplicatedFiles = new DeduplicatedFiles();

  private Path write(String task, String text) throws IOException {
    Path taskDirectory = directory.resolve(task);
    Files.createDirectories(taskDirectory.resolve("runtime.d"));
    deduplicatedFiles.write(taskDirectory, NAME, text);
    assertThat(taskDirectory.resolve(NAME)).hasContent(text);
    return taskDirectory.resolve(NAME);
  }

  private static Object inode(Path file) throws IOException {
    return Files.getAttribute(file, "unix:ino");
  }

  @Test
  void write_longTextIsStoredOnce() throws IOException {
    String text = "x".repeat(20_000);
    Path firstFile = write("a", text);
    Path secondFile = write("b", text);
    assertThat(inode(secondFile)).isEqualTo(inode(firstFile));
    assertThat(inode(write("b", text))).isEqualTo(inode(firstFile));
    assertThat(inode(write("c", text + "y"))).isNotEqualTo(inode(firstFile));
  }

  @Test
  void write_replacedText_otherTasksKeepTheirs() throws IOException {
    String text = "x".repeat(20_000);
    write("a", text);
    Path secondFile = write("b", text);
    write("a", "short");
    assertThat(secondFile).hasContent(text);
    write("c", text);
  }

  @Test
  void write_firstFileDeleted() throws IOException {
    String text = "x".repeat(20_000);
    Files.delete(write("a", text));
    Path secondFile = write("b", text);
    assertThat(inode(write("c", text))).isEqualTo(inode(secondFile));
  }

  @Test
  void write_shortTextIsNotShared() throws IOException {
    assertThat(inode(write("a", "x"))).isNotEqualTo(inode(write("b", "x")));
  }
}
