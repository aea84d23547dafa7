package dev.trainyard.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.server.config.DataDirectory;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.config.SettingsReader;
import dev.trainyard.server.config.UserFiles;
import dev.trainyard.server.db.Databases;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.Schema;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.fixture.MutableClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Restores a backup written by version 0.1.0, with tables of version 2. The file is never
 * regenerated.
 */
class OlderBackupTest {
  @TempDir private Path directory;

  private Path olderBackup() throws IOException {
    Path file = directory.resolve("backup.tar.gz");
    try (InputStream in = OlderBackupTest.class.getResourceAsStream("/upgrade/v2/backup.tar.gz")) {
      Files.copy(in, file);
    }
    return file;
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void restore_olderTables_upgraded(TestDatabase database) throws IOException {
    String url = database == TestDatabase.SQLITE ? "" : database.createUrl();
    Path data = directory.resolve("data");
    Settings settings = SettingsReader.read(Map.of("data", data.toString(), "db", url), Map.of());
    Manifest manifest = new Restore(settings, olderBackup()).run();
    assertThat(manifest.schema()).isEqualTo(2);
    try (Db db = Databases.open(url, data)) {
      assertThat(db.<Integer>read(handle -> Schema.version(handle.getConnection())))
          .isEqualTo(Schema.NEWEST);
      int jobs =
          db.read(
              handle -> handle.createQuery("select count(*) from job").mapTo(Integer.class).one());
      assertThat(jobs).isEqualTo(5);
      long next =
          db.read(
              handle ->
                  handle.createQuery("select next_value from counter").mapTo(Long.class).one());
      assertThat(next).isEqualTo(3);
    }
    assertThat(data.resolve("admin-password")).hasContent("fixture-password");
  }

  @Test
  void restore_newerTables_rejected() throws IOException {
    Path file = directory.resolve("newer.tar.gz");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ArchiveWriter writer = new ArchiveWriter(out);
    Manifest manifest = Manifest.initial("9.9", 999, 0, "sqlite");
    writer.begin(manifest);
    writer.finish(manifest, Map.of(), Map.of(), 0);
    Files.write(file, out.toByteArray());
    Path data = directory.resolve("data");
    Settings settings = SettingsReader.read(Map.of("data", data.toString()), Map.of());
    assertThatThrownBy(() -> new Restore(settings, file).run())
        .isInstanceOf(AppException.class)
        .hasMessageContaining("Trainyard 9.9");
    assertThat(data).doesNotExist();
  }

  @Test
  void backup_afterRestore_isEqual() throws IOException {
    Path data = directory.resolve("data");
    Settings settings = SettingsReader.read(Map.of("data", data.toString()), Map.of());
    Manifest first = new Restore(settings, olderBackup()).run();
    Path secondBackup = directory.resolve("second.tar.gz");
    try (Db db = Databases.open("", data);
        var out = Files.newOutputStream(secondBackup)) {
      new Backup(db, DataDirectory.open(data), new UserFiles(), "1.0", new MutableClock())
          .write(out, new Backup.Contents(false, false));
    }
    assertThat(new ArchiveReader(secondBackup).verify().tables())
        .containsAllEntriesOf(first.tables());
  }
}
