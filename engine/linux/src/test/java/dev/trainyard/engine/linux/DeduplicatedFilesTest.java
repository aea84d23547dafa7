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
  private final DeduplicatedFiles texts = new DeduplicatedFiles();

  private Path written(String task, String text) throws IOException {
    Path place = directory.resolve(task);
    Files.createDirectories(place.resolve("runtime.d"));
    texts.write(place, NAME, text);
    assertThat(place.resolve(NAME)).hasContent(text);
    return place.resolve(NAME);
  }

  private static Object inode(Path file) throws IOException {
    return Files.getAttribute(file, "unix:ino");
  }

  @Test
  void write_longTextIsStoredOnce() throws IOException {
    String text = "x".repeat(20_000);
    Path first = written("a", text);
    Path second = written("b", text);
    assertThat(inode(second)).isEqualTo(inode(first));
    assertThat(inode(written("b", text))).isEqualTo(inode(first));
    assertThat(inode(written("c", text + "y"))).isNotEqualTo(inode(first));
  }

  @Test
  void write_replacedText_otherTasksKeepTheirs() throws IOException {
    String text = "x".repeat(20_000);
    written("a", text);
    Path second = written("b", text);
    written("a", "short");
    assertThat(second).hasContent(text);
    written("c", text);
  }

  @Test
  void write_firstFileDeleted() throws IOException {
    String text = "x".repeat(20_000);
    Files.delete(written("a", text));
    Path second = written("b", text);
    assertThat(inode(written("c", text))).isEqualTo(inode(second));
  }

  @Test
  void write_shortTextIsNotShared() throws IOException {
    assertThat(inode(written("a", "x"))).isNotEqualTo(inode(written("b", "x")));
  }
}
