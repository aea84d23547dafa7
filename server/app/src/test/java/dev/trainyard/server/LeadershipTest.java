package dev.trainyard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.server.config.SettingsReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which servers may use a database, by their data directories. */
class LeadershipTest {
  @TempDir Path directory;

  private Server start(String data, String... more) {
    Map<String, String> options = new HashMap<>();
    options.put("data", directory.resolve(data).toString());
    options.put("port", "0");
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return Server.start(SettingsReader.read(options, Map.of()), Optional.empty(), List.of());
  }

  private void refused(String code, String data, String... more) {
    assertThatThrownBy(() -> start(data, more).close())
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.text().code()).isEqualTo(code));
  }

  private String sqlite(String file) {
    return "jdbc:sqlite:" + directory.resolve(file);
  }

  @Test
  void start_sqliteFileOfAnotherServer_rejectedWithItsName() throws Exception {
    Files.createSymbolicLink(directory.resolve("link.db"), directory.resolve("shared.db"));
    try (Server first = start("a", "db", sqlite("shared.db"))) {
      assertThatThrownBy(() -> start("b", "db", sqlite("shared.db")).close())
          .isInstanceOf(AppException.class)
          .hasMessageContaining("another server uses the database")
          .hasMessageContaining(directory.toRealPath().resolve("a").toString())
          .hasMessageContaining(first.url().toString());
      refused("config.db-in-use", "b", "db", sqlite("link.db"));
    }
    start("b", "db", sqlite("link.db")).close();
  }

  @Test
  void start_sqliteFileInTheDirectoryOfAnotherServer_rejected() {
    try (Server first = start("a")) {
      assertThat(first.url()).isNotNull();
      refused("config.db-in-use", "b", "db", sqlite("a/trainyard.db"));
    }
    start("a").close();
    start("b", "db", sqlite("a/trainyard.db")).close();
  }

  @Test
  void start_sqliteFileWithoutTables_rejectedInAUsedDirectoryOnly() throws Exception {
    start("a").close();
    for (String name : List.of("trainyard.db", "trainyard.db-wal", "trainyard.db-shm")) {
      Files.deleteIfExists(directory.resolve("a").resolve(name));
    }
    Files.createDirectory(directory.resolve("new"));
    for (String data : List.of("a", "new")) {
      try (Connection connection = DriverManager.getConnection(sqlite(data + "/trainyard.db"));
          Statement statement = connection.createStatement()) {
        statement.execute("pragma user_version = 1");
      }
    }
    refused("config.db-not-here", "a");
    start("new").close();
  }
}
