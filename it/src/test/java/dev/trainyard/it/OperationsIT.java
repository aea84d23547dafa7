package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs backup, restore, upgrade, cleanup and other operations of an administrator with the real
 * jar.
 */
class OperationsIT extends NeedsSandbox {
  private static final Path OLD =
      Trainyard.CHECKOUT.resolve("server/foundation/src/test/resources/upgrade/v2");
  @TempDir Path directory;

  private static Trainyard.Result command(Path data, String... arguments) throws Exception {
    return Trainyard.command(Map.of("TRAINYARD_DATA", data.toString()), "", arguments);
  }

  @Test
  void backup_whileAJobRuns_restoresElsewhereWithoutSideEffects() throws Exception {
    Path file = directory.resolve("backup.tar.gz");
    Path elsewhere = directory.resolve("elsewhere");
    try (Trainyard trainyard = Trainyard.start(directory.resolve("data"))) {
      String done =
          trainyard
              .submit(Trainyard.job("done", "echo kept > /userhome/model; echo hi"))
              .get("id")
              .asText();
      trainyard.await(done, "SUCCEEDED");
      String command =
          "echo begin; while [ ! -e /userhome/go ]; do sleep 0.1; done; echo once >>"
              + " /userhome/count";
      String running = trainyard.submit(Trainyard.job("running", command)).get("id").asText();
      trainyard.await(running, "RUNNING");
      Files.writeString(
          trainyard.data().resolve("trainyard.conf"), "session-lifetime = 30d\nkeep-jobs = 90d\n");
      var backup =
          trainyard.run("backup", file.toString(), "--with-logs", "--with-homes", "--json");
      assertThat(backup.exitCode()).as(backup.toString()).isZero();
      assertThat(backup.json().get("tables").get("job").asInt()).isEqualTo(2);
      assertThat(backup.json().get("size").asLong()).isEqualTo(Files.size(file));
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(trainyard.run("backup", file.toString()).exitCode()).isEqualTo(1);
      requirePrintedContents(trainyard, file);

      var inUse = command(trainyard.data(), "restore", file.toString());
      assertThat(inUse.exitCode()).isEqualTo(1);
      assertThat(inUse.err()).contains("a server is already running");

      var restored = command(elsewhere, "restore", file.toString());
      assertThat(restored.exitCode()).as(restored.toString()).isZero();
      assertThat(restored.err())
          .contains("trainyard.conf is from the backup", "  session-lifetime = 30d")
          .doesNotContain("keep-jobs");
      Files.createFile(elsewhere.resolve("home/admin/go"));
      try (Trainyard second = Trainyard.start(elsewhere)) {
        assertThat(second.log(done, "stdout")).isEqualTo("hi\n");
        assertThat(elsewhere.resolve("home/admin/model")).hasContent("kept");
        JsonNode lost = second.await(running, "FAILED", "SUCCEEDED");
        assertThat(lost.get("reason").asText()).isNotEmpty();
        String next =
            second.submit(Trainyard.job("next", "cat /userhome/model")).get("id").asText();
        second.await(next, "SUCCEEDED");
        assertThat(second.log(next, "stdout")).isEqualTo("kept\n");
        assertThat(second.run("whoami").exitCode()).isZero();
      }
      assertThat(command(elsewhere, "restore", file.toString()).err()).contains("is not empty");
      Files.createFile(trainyard.data().resolve("home/admin/go"));
      trainyard.await(running, "SUCCEEDED");
      assertThat(trainyard.data().resolve("home/admin/count")).hasContent("once");
    }
  }

  /**
   * Creates a backup with logs and home directories in the file, and checks the printed list of
   * contents.
   */
  private static void requirePrintedContents(Trainyard trainyard, Path file) throws Exception {
    var small = trainyard.run("backup", file.toString(), "--force");
    assertThat(small.exitCode()).as(small.toString()).isZero();
    assertThat(small.out()).contains("trainyard.conf", "--with-homes").doesNotContain("home (");
    var all = trainyard.run("backup", file.toString(), "--force", "--with-logs", "--with-homes");
    assertThat(all.out())
        .contains("admin-password, the initial password of the administrator in clear text")
        .contains("home (", "Not included: the encryption keys of the secrets")
        .doesNotContain("--with-homes");
  }

  @Test
  void restore_toTheSamePathWhileTheOldTaskRuns_jobFinishes() throws Exception {
    Path data = directory.resolve("data");
    Path file = directory.resolve("backup.tar.gz");
    Trainyard first = Trainyard.start(data);
    String command = "echo begin; while [ ! -e /userhome/go ]; do sleep 0.1; done; echo end";
    String id = first.submit(Trainyard.job("survivor", command)).get("id").asText();
    first.await(id, "RUNNING");
    assertThat(first.run("backup", file.toString(), "--with-homes").exitCode()).isZero();
    first.process().destroyForcibly().waitFor(30, TimeUnit.SECONDS);
    Path old = Files.move(data, directory.resolve("old"));
    assertThat(command(data, "restore", file.toString()).exitCode()).isZero();
    Files.createFile(data.resolve("home/admin/go"));
    try (Trainyard second = Trainyard.start(data)) {
      second.await(id, "FAILED", "SUCCEEDED");
    } finally {
      // Lets the old task finish, too; its home directory was moved with the data directory.
      Files.createFile(old.resolve("home/admin/go"));
    }
  }

  @Test
  void restore_damagedFile_leavesNoDirectory() throws Exception {
    byte[] completeBackup = Files.readAllBytes(OLD.resolve("backup.tar.gz"));
    Path cut =
        Files.write(
            directory.resolve("cut"),
            java.util.Arrays.copyOf(completeBackup, completeBackup.length - 100));
    var rejected = command(directory.resolve("data"), "restore", cut.toString());
    assertThat(rejected.exitCode()).isEqualTo(1);
    assertThat(rejected.err()).contains("Nothing was changed");
    assertThat(directory.resolve("data")).doesNotExist();
  }

  @Test
  void up_onADatabaseOfVersion2_upgradesItAndKeepsACopy() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + data.resolve("trainyard.db"));
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(Files.readString(OLD.resolve("sqlite.sql")));
    }
    try (Trainyard trainyard = Trainyard.start(data)) {
      assertUpgradedData(trainyard);
      try (var files = Files.list(data)) {
        assertThat(files.map(file -> file.getFileName().toString()))
            .anyMatch(name -> name.startsWith("trainyard.db.before-v"));
      }
    }
  }

  @Test
  void restore_backupOfVersion2_isUpgraded() throws Exception {
    Path data = directory.resolve("data");
    var restored = command(data, "restore", OLD.resolve("backup.tar.gz").toString(), "--json");
    assertThat(restored.exitCode()).as(restored.toString()).isZero();
    assertThat(restored.json().get("schema").asInt()).isEqualTo(2);
    try (Trainyard trainyard = Trainyard.start(data)) {
      assertUpgradedData(trainyard);
    }
  }

  private static void assertUpgradedData(Trainyard trainyard) throws Exception {
    JsonNode jobs = trainyard.run("ls", "--all", "--json").json();
    assertThat(jobs).hasSize(5);
    assertThat(trainyard.run("user", "ls").out()).contains("admin", "alice");
    trainyard.await("01HF7YAT000K2CS3TDB432TBWS", "FAILED");
    assertThat(
            trainyard
                .request(
                    "POST",
                    "/api/v3/sessions",
                    "{\"user\":\"alice\",\"password\":\"alice-password\"}",
                    "")
                .statusCode())
        .isEqualTo(201);
    String id = trainyard.submit(Trainyard.job("new", "echo new")).get("id").asText();
    trainyard.await(id, "SUCCEEDED");
  }

  @Test
  void cleanup_oldLogs_areDeletedAndReported() throws Exception {
    try (Trainyard trainyard = Trainyard.start(directory.resolve("data"), "--keep-logs", "1ms")) {
      String id = trainyard.submit(Trainyard.job("old", "echo bye")).get("id").asText();
      trainyard.await(id, "SUCCEEDED");
      var preview = trainyard.run("cleanup", "--dry-run", "--json");
      assertThat(preview.json().get("logs").asInt()).isEqualTo(1);
      assertThat(trainyard.run("logs", "old").out()).isEqualTo("bye\n");
      assertThat(trainyard.run("cleanup").exitCode()).isZero();
      var logs = trainyard.run("logs", "old");
      assertThat(logs.exitCode()).isEqualTo(4);
      assertThat(logs.err()).contains("the logs of old were deleted on");
      assertThat(trainyard.run("show", "old").exitCode()).isZero();
      assertThat(trainyard.request("GET", "/metrics", "").body())
          .contains("trainyard_retention_logs_total 1");
    }
  }

  @Test
  void up_diskFull_rejectsJobsAndKeepsRunning() throws Exception {
    Path data = directory.resolve("data");
    try (Trainyard trainyard =
        Trainyard.start(data, "--disk-low", "99%", "--disk-critical", "99%")) {
      var rejected = trainyard.request("POST", "/api/v3/jobs", Trainyard.job("no", "true"));
      assertThat(rejected.statusCode()).isEqualTo(507);
      assertThat(rejected.body()).contains("DISK_FULL", data.toString());
      JsonNode status = trainyard.run("status", "--json").json();
      assertThat(status.get("disks").get(0).get("level").asText()).isEqualTo("CRITICAL");
      assertThat(status.get("warnings").get(0).get("code").asText()).isEqualTo("notice.disk-full");
      assertThat(trainyard.run("status").out()).contains("warning:", "new jobs are rejected");
      assertThat(trainyard.request("GET", "/healthz", "", "").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void backup_ordinaryUser_isRejected() throws Exception {
    try (Trainyard trainyard = Trainyard.start(directory.resolve("data"))) {
      String body = "{\"name\":\"bob\",\"password\":\"bob-password\"}";
      trainyard.request("POST", "/api/v3/users", body);
      String session =
          trainyard
              .request(
                  "POST",
                  "/api/v3/sessions",
                  "{\"user\":\"bob\",\"password\":\"bob-password\"}",
                  "")
              .body();
      String token = Trainyard.JSON.readTree(session).get("token").asText();
      for (String path : new String[] {"/api/v3/backup", "/api/v3/status", "/api/v3/cleanup"}) {
        assertThat(trainyard.request("GET", path, "", token).statusCode()).as(path).isEqualTo(403);
      }
    }
  }

  @Test
  void systemdUnit_hasThePathOfThisProgram() throws Exception {
    var unit = command(directory.resolve("data"), "systemd-unit", "--", "--port", "9999");
    assertThat(unit.exitCode()).as(unit.toString()).isZero();
    assertThat(unit.out())
        .contains("KillMode=process", "up --data " + directory.resolve("data"), "--port 9999");
    assertThatThrownBy(() -> Trainyard.start(directory.resolve("data"), "--keep-jobs", "never"))
        .isInstanceOf(Trainyard.StartFailed.class);
  }
}
