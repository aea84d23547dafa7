package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.it.Trainyard.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows the procedure in docs/operations.md: an installation with TLS and retention settings is
 * lost and restored.
 */
class RestoreIT extends NeedsSandbox {
  @TempDir Path directory;

  @Test
  void restore_sqlite_keepsTheSettings() throws Exception {
    Path data = prepare("");
    Path file = backUp(data);
    Files.move(data, directory.resolve("old"));
    Result restored = restore(data, file.toString());
    assertThat(restored.exitCode()).as(restored.toString()).isZero();
    requireSameInstallation(data, restored, List.of("tls-cert", "tls-key", "keep-jobs"));
    assertThat(data.resolve("trainyard.db")).exists();
  }

  @Test
  void restore_postgres_keepsTheSettings() throws Exception {
    try (Database.Running postgres = Database.POSTGRES.open(directory)) {
      String administration = postgres.options().getLast();
      String url = administration.replace("/postgres?", "/trainyard?");
      assertThat(url).isNotEqualTo(administration);
      execute(administration, "create database trainyard");
      Path password = writePrivate(directory.resolve("db-password"), "any\n");
      Path data = prepare("db = " + url + "\ndb-password-file = " + password + "\n");
      Path file = backUp(data);
      Files.move(data, directory.resolve("old"));
      execute(administration, "alter database trainyard rename to trainyard_old");
      execute(administration, "create database trainyard");

      Result unchosen = restore(data, file.toString());
      assertThat(unchosen.exitCode()).isEqualTo(1);
      assertThat(unchosen.err()).contains("--same-db");
      assertThat(data).doesNotExist();

      Result restored =
          restore(data, "--same-db", "--db-password-file", password.toString(), file.toString());
      assertThat(restored.exitCode()).as(restored.toString()).isZero();
      requireSameInstallation(
          data, restored, List.of("db", "db-password-file", "tls-cert", "tls-key", "keep-jobs"));
      assertThat(data.resolve("trainyard.db")).doesNotExist();
    }
  }

  /**
   * The restore must fail, because the server would otherwise start with the default settings, for
   * example without TLS.
   */
  @Test
  void restore_damagedSettings_changesNothingAndNamesTheRemedy() throws Exception {
    Path data = prepare("");
    Path file = directory.resolve("damaged.tar.gz");
    try (Trainyard yard = Trainyard.start(data)) {
      Files.writeString(data.resolve("trainyard.conf"), "tls-cert = \\u00\n");
      assertThat(yard.run("backup", file.toString()).exitCode()).isZero();
    }
    Path elsewhere = directory.resolve("elsewhere");
    Result refused = restore(elsewhere, file.toString());
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err())
        .contains("nothing was changed", elsewhere.resolve("trainyard.conf").toString());
    assertThat(elsewhere).doesNotExist();
  }

  /** Creates a data directory with a certificate and settings, as an administrator does. */
  private Path prepare(String database) throws Exception {
    Path data = Files.createDirectory(directory.resolve("my data"));
    Path key = directory.resolve("key.pem");
    Path cert = directory.resolve("cert.pem");
    Process openssl =
        new ProcessBuilder(
                ("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost"
                        + " -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout %s -out %s")
                    .formatted(key, cert)
                    .split(" "))
            .redirectErrorStream(true)
            .start();
    openssl.getInputStream().readAllBytes();
    assertThat(openssl.waitFor()).isZero();
    String settings =
        "tls-cert = " + cert + "\ntls-key = " + key + "\nkeep-jobs = 90d\n" + database;
    writePrivate(data.resolve("trainyard.conf"), settings);
    return data;
  }

  private static Path writePrivate(Path file, String text) throws IOException {
    Files.writeString(file, text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private Path backUp(Path data) throws Exception {
    Path file = directory.resolve("backup.tar.gz");
    try (Trainyard yard = Trainyard.start(data)) {
      Path job = Files.writeString(directory.resolve("job.json"), Trainyard.job("a", "echo hi"));
      assertThat(yard.run("run", job.toString()).out()).isEqualTo("hi\n");
      Result backup = yard.run("backup", file.toString(), "--with-logs");
      assertThat(backup.exitCode()).as(backup.toString()).isZero();
    }
    return file;
  }

  private static Result restore(Path data, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("--data", data.toString(), "restore"));
    command.addAll(List.of(arguments));
    return Trainyard.command(Map.of(), "", command.toArray(String[]::new));
  }

  /**
   * Starts the server with the command that the restore prints, and compares this server with the
   * old one.
   */
  private static void requireSameInstallation(Path data, Result restored, List<String> settings)
      throws Exception {
    assertThat(restored.out()).contains("trainyard --data '" + data + "' up");
    assertThat(data.resolve("trainyard.conf.restored")).doesNotExist();
    try (Trainyard yard = Trainyard.start(data)) {
      assertThat(yard.url()).startsWith("https://");
      JsonNode listed = yard.run("settings", "--json").json();
      assertThat(
              StreamSupport.stream(listed.spliterator(), false)
                  .filter(setting -> setting.get("source").asText().equals("file"))
                  .map(setting -> setting.get("name").asText()))
          .containsExactlyInAnyOrderElementsOf(settings);
      assertThat(yard.run("logs", "a").out()).isEqualTo("hi\n");
    }
  }

  private static void execute(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
