package dev.trainyard.server.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabasesTest {
  @TempDir Path directory;

  @Test
  void isMissing_emptyFile_isNotADatabase() throws Exception {
    assertThat(Databases.isMissing("", directory)).isTrue();
    Path file = Files.createFile(directory.resolve("trainyard.db"));
    assertThat(Databases.isMissing("", directory)).isTrue();
    assertThat(Databases.isMissing("jdbc:sqlite:" + file, directory)).isTrue();
    Files.writeString(file, "damaged");
    assertThat(Databases.isMissing("", directory)).isFalse();
    assertThat(Databases.isMissing("jdbc:sqlite:" + file, directory)).isFalse();
    assertThat(Databases.isMissing("jdbc:postgresql://localhost/x", directory)).isFalse();
  }
}
