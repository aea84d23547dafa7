package dev.trainyard.server.config;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForeignDirectoryCheckTest {
  private static final Map<String, String> POSTGRES =
      Map.of("db", "jdbc:postgresql://db/trainyard");

  @TempDir private Path directory;

  private void check(Map<String, String> options) {
    Map<String, String> all = new HashMap<>(options);
    all.put("data", directory.toString());
    ForeignDirectoryCheck.require(new DataDirectory(directory), SettingsReader.read(all, Map.of()));
  }

  private void create(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"notes.txt", "lock", "restoring/letter", "photos/one", "home/anna/x"})
  void require_otherFiles_rejected(String name) throws IOException {
    create(name, "written by a person\n");
    assertThatThrownBy(() -> check(Map.of()))
        .isInstanceOf(AppException.class)
        .hasMessageContaining("contains other files (" + name.replaceFirst("/.*", "") + ")");
  }

  @ParameterizedTest
  @ValueSource(strings = {"trainyard.db", "installation", "local-token", "restoring/complete"})
  void require_directoryOfAServer_accepted(String name) throws IOException {
    create("notes.txt", "written by a person\n");
    create(name, "x");
    assertThatCode(() -> check(Map.of())).doesNotThrowAnyException();
  }

  @Test
  void require_preparedOrInterrupted_accepted() throws IOException {
    check(Map.of());
    for (String name : new String[] {"gdata/digits/one", "storages/shared/a", "lost+found/x"}) {
      create(name, "x");
    }
    create("trainyard.conf", "");
    create("secret-keys", "key");
    create("db-password", "secret");
    Files.setPosixFilePermissions(
        directory.resolve("db-password"), PosixFilePermissions.fromString("rw-------"));
    create("server.log", "starting\n");
    create("lock", "pid 17 restore\n");
    create("start.lock", "");
    create("restoring/home/anna", "x");
    Files.createDirectory(directory.resolve("home"));
    check(
        Map.of(
            "db",
            POSTGRES.get("db"),
            "db-password-file",
            directory.resolve("db-password").toString()));
  }

  @Test
  void require_homesWithDatabaseElsewhere_accepted() throws IOException {
    create("home/anna/x", "x");
    check(POSTGRES);
  }
}
