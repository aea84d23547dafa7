package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.Cli;
import dev.trainyard.cli.CliEnvironment;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.terminal.Terminal;
import dev.trainyard.server.backup.Backup;
import dev.trainyard.server.config.DataDirectory;
import dev.trainyard.server.config.UserFiles;
import dev.trainyard.server.db.Databases;
import dev.trainyard.server.db.Db;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Passwords in database URLs do not get into arguments and units, and a command warns of them. */
class DatabasePasswordOptionTest {
  private static final String URL = "jdbc:postgresql://127.0.0.1:1/d?user=u&password=hidden";

  @TempDir private Path directory;

  /** Runs a command and returns its exit code with everything that it printed. */
  private Map.Entry<Integer, String> run(String... arguments) {
    Map<String, String> env =
        Map.of("HOME", directory.toString(), "TRAINYARD_DATA", directory.resolve("d").toString());
    CliEnvironment standard = Trainyard.environment(env);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    Terminal.Properties look =
        new Terminal.Properties(false, false, false, false, 80, StandardCharsets.UTF_8);
    CliEnvironment environment =
        new CliEnvironment(
            env,
            directory,
            new Terminal(look, printed, printed),
            standard.in(),
            standard.passwords(),
            standard.signals(),
            standard.version(),
            standard.background(),
            standard.upCommand(),
            standard.serverCommands());
    int exitCode = Cli.run(environment, arguments);
    return Map.entry(exitCode, printed.toString(StandardCharsets.UTF_8));
  }

  @Test
  void publicArguments_urlWithPassword_isMovedToTheEnvironment() {
    Map<String, String> environment = new HashMap<>();
    List<String> options = List.of("--port=9286", "--db=" + URL);
    assertThat(DetachedServer.publicArguments(options, environment)).containsExactly("--port=9286");
    assertThat(environment).containsExactly(Map.entry("TRAINYARD_DB", URL));
  }

  @Test
  void publicArguments_urlWithoutPassword_staysAnArgument() {
    Map<String, String> environment = new HashMap<>();
    List<String> options = List.of("--db=jdbc:postgresql://h/d?user=u");
    assertThat(DetachedServer.publicArguments(options, environment)).isEqualTo(options);
    assertThat(environment).isEmpty();
  }

  @Test
  void systemdUnit_urlWithPassword_isRejected() {
    for (String url : List.of(URL, "jdbc:postgresql://u:hidden@h/d")) {
      Map.Entry<Integer, String> result = run("systemd-unit", "--", "--db=" + url);
      assertThat(result.getKey()).isEqualTo(ExitCode.USAGE);
      assertThat(result.getValue()).contains("--db-password-file").doesNotContain("hidden");
    }
    assertThat(run("systemd-unit", "--", "--db=jdbc:postgresql://h/d?user=u").getKey()).isZero();
  }

  @Test
  void up_urlWithPassword_warns() {
    // The invalid port ends the command before a server starts.
    Map.Entry<Integer, String> result = run("up", "--db", URL, "--port", "x");
    assertThat(result.getKey()).isNotZero();
    assertThat(result.getValue())
        .contains("Warning: every account on this host can read the database password")
        .doesNotContain("hidden");
  }

  @Test
  void restore_sameDatabaseAndAnotherOne_isRejected() throws IOException {
    Path file = Files.writeString(directory.resolve("backup.tar.gz"), "x");
    Map.Entry<Integer, String> result = run("restore", "--same-db", "--db", "", file.toString());
    assertThat(result.getKey()).isEqualTo(ExitCode.USAGE);
    assertThat(result.getValue()).contains("--same-db");
  }

  /** Writes a backup whose settings file contains these lines. */
  private Path backup(String... lines) throws IOException {
    Path source = directory.resolve("source");
    DataDirectory data = DataDirectory.open(source);
    Files.write(source.resolve("trainyard.conf"), List.of(lines));
    Path file = directory.resolve("backup.tar.gz");
    try (Db db = Databases.open("", source);
        OutputStream out = Files.newOutputStream(file)) {
      new Backup(db, data, new UserFiles(), "1.0", InstantSource.system())
          .write(out, new Backup.Contents(false, false));
    }
    return file;
  }

  @Test
  void restore_passwordFileInTheBackup_isNotUsed() throws IOException {
    Path secret = Files.writeString(directory.resolve("id_rsa"), "private key");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    Path file =
        backup("db = jdbc:postgresql://127.0.0.1:1/x?user=u", "db-password-file = " + secret);
    Map.Entry<Integer, String> result = run("restore", "--same-db", file.toString());
    assertThat(result.getKey()).isEqualTo(ExitCode.USAGE);
    assertThat(result.getValue())
        .contains("jdbc:postgresql://127.0.0.1:1/x?user=u", "--db-password-file FILE");
  }

  @Test
  void restore_sameDatabase_printsItBeforeConnecting() throws IOException {
    Path file = backup("db = " + URL, "db-password-file = /root/.ssh/id_rsa");
    Map.Entry<Integer, String> result = run("restore", "--same-db", file.toString());
    assertThat(result.getKey()).as("nothing listens on the port").isNotZero();
    assertThat(result.getValue())
        .contains("Database in the backup: jdbc:postgresql://127.0.0.1:1/d?user=u&password=******")
        .doesNotContain("hidden", "id_rsa");
  }

  @Test
  void restore_urlThatReadsALocalFile_isRejected() throws IOException {
    Path file = backup("db = " + URL + "&sslkey=/root/key");
    Map.Entry<Integer, String> result = run("restore", "--same-db", file.toString());
    assertThat(result.getKey()).isNotZero();
    assertThat(result.getValue()).contains("sslkey", "--db URL").doesNotContain("hidden");
  }
}
