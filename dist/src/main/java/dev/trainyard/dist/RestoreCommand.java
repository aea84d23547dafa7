package dev.trainyard.dist;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.server.backup.BackupDatabase;
import dev.trainyard.server.backup.Manifest;
import dev.trainyard.server.backup.Restore;
import dev.trainyard.server.config.DatabasePassword;
import dev.trainyard.server.config.Logging;
import dev.trainyard.server.config.SecuritySettings;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.config.SettingsReader;
import dev.trainyard.server.secret.KeyRing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code restore}: restores a backup to an empty data directory and an empty database. */
@picocli.CommandLine.Command(name = "restore")
final class RestoreCommand extends Command {
  @Parameters(index = "0", paramLabel = "FILE", descriptionKey = "restore-file")
  private String file;

  @Option(names = "--db", paramLabel = "URL")
  private String db;

  @Option(names = "--db-password-file", paramLabel = "FILE")
  private String dbPasswordFile;

  @Option(names = "--same-db")
  private boolean sameDb;

  RestoreCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    if (session().namedServer().isPresent()) {
      throw session().usageError("cli.wrong.restore-server");
    }
    if (db != null && DatabasePassword.isIn(db)) {
      terminal().note(text("cli.password-in-arguments"));
    }
    Settings settings = SettingsReader.read(settingValues(), session().environment().env());
    Logging.prepare();
    Logging.configure(settings, System.err);
    Path configFile = session().data().resolve("trainyard.conf");
    boolean keepsExistingSettings = Files.exists(configFile);
    terminal().status(text("cli.restore.working"));
    Manifest manifest;
    try {
      manifest = new Restore(settings, Path.of(file).toAbsolutePath()).run();
    } finally {
      terminal().clearStatus();
    }
    Map<String, String> securitySettings =
        keepsExistingSettings ? Map.of() : SecuritySettings.readFrom(configFile);
    if (session().json()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("data", session().data().toString());
      fields.put("securitySettings", securitySettings);
      fields.putAll(BackupCommand.describe(manifest));
      terminal().line(new Json(fields).text());
      return ExitCode.OK;
    }
    terminal()
        .line(
            text(
                "cli.restore.done",
                "data",
                session().data(),
                "jobs",
                manifest.tables().getOrDefault("job", 0L),
                "users",
                manifest.tables().getOrDefault("users", 0L)));
    long secrets = manifest.tables().getOrDefault("job_secret", 0L);
    if (secrets > 0 && !Files.exists(session().data().resolve(KeyRing.FILE))) {
      terminal().note(text("cli.restore.secrets", "n", secrets, "data", session().data()));
    }
    if (keepsExistingSettings) {
      terminal().note(text("cli.restore.kept-settings", "file", configFile));
    }
    if (!securitySettings.isEmpty()) {
      terminal().note(text("cli.restore.settings", "file", configFile));
      securitySettings.forEach((name, value) -> terminal().note("  " + name + " = " + value));
    }
    return ExitCode.OK;
  }

  private Map<String, String> settingValues() {
    Map<String, String> settingValues = new LinkedHashMap<>();
    settingValues.put(Settings.DATA.name(), session().data().toString());
    settingValues.put(Settings.LOG_LEVEL.name(), "warn");
    if (sameDb && db != null) {
      throw session().usageError("cli.wrong.restore-db");
    }
    if (sameDb) {
      Restore.databaseOf(Path.of(file).toAbsolutePath())
          .ifPresent(
              database -> settingValues.put(Settings.DB.name(), requireUsable(database).url()));
    }
    if (db != null) {
      settingValues.put(Settings.DB.name(), db);
    }
    if (dbPasswordFile != null) {
      settingValues.put(Settings.DB_PASSWORD_FILE.name(), dbPasswordFile);
    }
    return settingValues;
  }

  /**
   * Prints the database that the backup names, before anything is sent to that database. The URL in
   * the backup must contain the password, or the command line must name a password file. A password
   * file that the backup names is never used.
   */
  private BackupDatabase requireUsable(BackupDatabase database) {
    if (!database.hasPassword() && dbPasswordFile == null) {
      throw session().usageError("cli.wrong.restore-password-file", "url", database.maskedUrl());
    }
    terminal().note(text("cli.restore.database", "url", database.maskedUrl()));
    return database;
  }
}
