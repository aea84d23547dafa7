package dev.trainyard.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabasePasswordTest {
  @TempDir private Path directory;

  private Settings read(String url, String mode) throws IOException {
    Path file = directory.resolve("password");
    Files.writeString(file, "a&b c\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    return SettingsReader.read(
        Map.of("data", directory.toString(), "db", url, "db-password-file", file.toString()),
        Map.of());
  }

  @Test
  void file_passwordIsAddedToTheUrlButNotToTheShownValue() throws IOException {
    Settings settings = read("jdbc:postgresql://h/d?user=u", "rw-------");
    assertThat(settings.value(Settings.DB))
        .isEqualTo("jdbc:postgresql://h/d?user=u&password=a%26b+c");
    assertThat(settings.rawValue(Settings.DB).text()).isEqualTo("jdbc:postgresql://h/d?user=u");
  }

  @Test
  void file_readableByOthers_rejected() {
    assertThatThrownBy(() -> read("jdbc:postgresql://h/d", "rw-r--r--"))
        .isInstanceOfSatisfying(
            AppException.class,
            e -> assertThat(e.problems().toString()).contains("config.db-password-open"));
  }

  @Test
  void file_sqliteOrSecondPassword_rejected() {
    assertThatThrownBy(() -> read("", "rw-------")).isInstanceOf(AppException.class);
    assertThatThrownBy(() -> read("jdbc:postgresql://h/d?password=x", "rw-------"))
        .isInstanceOf(AppException.class);
  }

  private void assertRejected(Path file, String code) {
    Map<String, String> options =
        Map.of(
            "data", directory.toString(),
            "db", "jdbc:postgresql://h/d?user=u",
            "db-password-file", file.toString());
    assertThatThrownBy(() -> SettingsReader.read(options, Map.of()))
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.problems().toString()).contains(code));
  }

  @Test
  void file_namedPipe_rejectedWithoutReading() throws IOException, InterruptedException {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", "-m", "600", pipe.toString()).start().waitFor())
        .isZero();
    assertRejected(pipe, "config.db-password-not-file");
    assertRejected(directory, "config.db-password-not-file");
  }

  @Test
  void file_emptyOrMissing_rejected() throws IOException {
    Path file = directory.resolve("empty");
    assertRejected(file, "config.file-missing");
    Files.writeString(file, " \n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertRejected(file, "config.db-password-empty");
  }
}
