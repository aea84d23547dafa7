package dev.trainyard.server.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
  void isMissing_databaseOfServer_isFalse() {
    Databases.open("", directory).close();
    assertThat(Databases.isMissing("", directory)).isFalse();
  }

  /** Copies the files of an open database, which are as a killed server leaves them. */
  private Path copyOfKilledServer() throws Exception {
    Path running = Files.createDirectory(directory.resolve("running"));
    Path crashed = Files.createDirectory(directory.resolve("crashed"));
    try (Db db = Databases.open("", running)) {
      db.write(handle -> handle.execute("create table kept (id int)"));
      for (String name : List.of("trainyard.db", "trainyard.db-wal")) {
        Files.copy(running.resolve(name), crashed.resolve(name));
      }
    }
    return crashed;
  }

  @Test
  void isMissing_databaseOfAKilledServer_keepsTheLog() throws Exception {
    Path crashed = copyOfKilledServer();
    Path log = crashed.resolve("trainyard.db-wal");
    long length = Files.size(log);
    assertThat(Databases.isMissing("", crashed)).isFalse();
    assertThat(log).hasSize(length);
  }

  @Test
  void open_indexFileCannotBeCreated_indexIsInMemory() throws Exception {
    Path crashed = copyOfKilledServer();
    // SQLite does not open a link, so it fails as on a disk without inodes.
    Files.createSymbolicLink(crashed.resolve("trainyard.db-shm"), Path.of("missing"));
    try (Db db = Databases.open("", crashed)) {
      db.write(handle -> handle.execute("insert into kept (id) values (7)"));
      assertThat(
              db.<Integer>read(
                  handle -> handle.createQuery("select id from kept").mapTo(Integer.class).one()))
          .isEqualTo(7);
    }
  }

  @Test
  void write_fails_logIsKept() throws Exception {
    try (Db db = Databases.open("", directory)) {
      db.write(handle -> handle.execute("create table kept (id int)"));
      assertThatThrownBy(() -> db.write(handle -> handle.execute("rollback")));
      assertThat(directory.resolve("trainyard.db-wal")).exists();
    }
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
