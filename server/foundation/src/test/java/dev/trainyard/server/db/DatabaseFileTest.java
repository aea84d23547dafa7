package dev.trainyard.server.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseFileTest {
  private static final List<String> NAMES = List.of("test.db", "test.db-shm", "test.db-wal");

  @TempDir Path directory;

  private void assertPrivate() throws IOException {
    for (String name : NAMES) {
      assertThat(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(name))))
          .as(name)
          .isEqualTo("rw-------");
    }
  }

  @Test
  void open_newDatabaseIsPrivate() throws IOException {
    try (Db db = SqliteDb.open(directory.resolve("test.db"), WriteObserver.NONE)) {
      assertThat(db.pendingWrites()).isZero();
      assertPrivate();
    }
  }

  /** Simulates the files that an earlier release left after a crash. */
  @Test
  void open_tightensExistingFiles() throws IOException {
    Path file = directory.resolve("test.db");
    try (Db db = SqliteDb.open(file, WriteObserver.NONE)) {
      assertThat(db.pendingWrites()).isZero();
      for (String name : NAMES) {
        Files.setPosixFilePermissions(
            directory.resolve(name), PosixFilePermissions.fromString("rw-r--r--"));
      }
      DatabaseFile.makePrivate(file);
      assertPrivate();
    }
  }
}
