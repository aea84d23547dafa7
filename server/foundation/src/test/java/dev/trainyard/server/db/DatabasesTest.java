package dev.trainyard.server.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
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

  @Test
  void isMissing_databaseWithoutOurTables() throws Exception {
    Path file = directory.resolve("trainyard.db");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute("create table other (id int)");
    }
    assertThat(Databases.isMissing("", directory)).isTrue();
    assertThat(Databases.fileNames("", directory)).contains("trainyard.db", "trainyard.db-wal");
  }

  @Test
  void isMissing_databaseOfAServer_isNot() {
    Databases.open("", directory).close();
    assertThat(Databases.isMissing("", directory)).isFalse();
  }

  @Test
  void realFile_differentNamesOfOneFile_haveOneRealPath() throws Exception {
    Path real = Files.createDirectory(directory.resolve("real")).toRealPath();
    Files.createSymbolicLink(directory.resolve("link"), real);
    Files.createSymbolicLink(directory.resolve("link.db"), Path.of("link/x.db"));
    for (String name : List.of("real/x.db", "link/x.db", "link.db", "real/../link/x.db?a=b")) {
      assertThat(Databases.realFile("jdbc:sqlite:" + directory.resolve(name), directory))
          .as(name)
          .contains(real.resolve("x.db"));
    }
    assertThat(Databases.realFile("", real)).contains(real.resolve("trainyard.db"));
    assertThat(Databases.realFile("jdbc:postgresql://localhost/x", directory)).isEmpty();
  }
}
