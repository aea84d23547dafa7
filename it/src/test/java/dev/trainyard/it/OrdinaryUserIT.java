package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.engine.TreeDeleter;
import dev.trainyard.engine.testkit.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs a server as an ordinary user, even if root runs the tests. */
class OrdinaryUserIT extends NeedsSandbox {
  @TempDir static Path directory;
  private static Account account;
  private static Path data;
  private static Trainyard shared;

  @BeforeAll
  static void start() throws Exception {
    account = Account.ordinary(directory);
    data = directory.resolve("data");
    shared = Trainyard.start(account, data, Map.of());
  }

  @AfterAll
  static void stop() {
    if (shared != null) {
      shared.close();
    }
  }

  private static String runToEnd(Trainyard trainyard, String name, String command, String state)
      throws Exception {
    String id = trainyard.submit(Trainyard.job(name, command)).get("id").asText();
    JsonNode job = trainyard.await(id, "SUCCEEDED", "FAILED");
    assertThat(job.get("state").asText())
        .as(job + trainyard.log(id, "stdout") + trainyard.log(id, "stderr"))
        .isEqualTo(state);
    return trainyard.log(id, "stdout");
  }

  @Test
  void run_hello_filesBelongToTheServersAccount() throws Exception {
    var hello = shared.run("run", Trainyard.CHECKOUT.resolve("examples/hello.json").toString());
    assertThat(hello.exitCode()).as(hello.toString()).isZero();
    assertThat(hello.out()).isEqualTo("finished\n");
    Path output = data.resolve("home/admin/output/out.txt");
    assertThat(Files.getAttribute(output, "unix:uid"))
        .isEqualTo(Files.getAttribute(data, "unix:uid"))
        .isNotEqualTo(0);
  }

  @Test
  void nodesAndShow_reportTheIsolation() throws Exception {
    runToEnd(shared, "plain", "true", "SUCCEEDED");
    assertThat(shared.run("nodes").out())
        .contains("files private", "processes private", "network shared with the host");
    assertThat(shared.run("show", "plain").out()).contains("files private");
    JsonNode isolation = shared.run("show", "plain", "--json").json().get("isolation");
    assertThat(isolation.get("files").asText()).isEqualTo("PRIVATE");
    assertThat(isolation.get("processes").asText()).isEqualTo("PRIVATE");
    assertThat(isolation.get("network").asText()).isEqualTo("NONE");
  }

  @Test
  void task_serverFiles_hidden() throws Exception {
    long server = shared.process().pid();
    String out =
        runToEnd(
            shared,
            "probe",
            "cat %1$s/local-token %1$s/shared.db %1$s/admin-password; ls -A %1$s %1$s/..;"
                    .formatted(data)
                + " kill -9 %d && echo killed; ls /proc/%d;".formatted(server, server)
                + " find / -xdev -name local-token 2>/dev/null;"
                + " cat /proc/*/environ | tr '\\0' '\\n' | grep -c '^HOME="
                + directory
                + "';"
                + " ls -A /home /root /run /mnt /media /srv /boot | grep -v ':$' | tr -d '\\n';"
                + " unshare --user true && echo nested; mount -t tmpfs x /tmp && echo mounted;"
                + " grep -E '^Cap(Eff|Prm|Bnd)' /proc/self/status | grep -vc 0000000000000000;"
                + " ls -d /proc/1 /proc/1/root",
            "FAILED");
    assertThat(out).isEqualTo("0\n0\n");
    assertThat(shared.request("GET", "/healthz", "", "").statusCode()).isEqualTo(200);
  }

  /** The data directory is in a directory that tasks can see and that every user may enter. */
  @Tag("long")
  @Test
  void task_dataDirectoryInHostDirectory_hidden() throws Exception {
    Requirement.require("root", ROOT, "only root can create a directory in /opt");
    Path mountPoint = Files.createTempDirectory(Path.of("/opt"), "trainyard");
    Files.setPosixFilePermissions(mountPoint, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(mountPoint.resolve("beside"), "of the account");
    account.takeOwnership(mountPoint);
    try (Trainyard trainyard = Trainyard.start(account, mountPoint.resolve("data"), Map.of())) {
      String out =
          runToEnd(
              trainyard,
              "elsewhere",
              "cat %1$s/beside; ls -A %1$s/data; cat %1$s/data/local-token".formatted(mountPoint),
              "FAILED");
      assertThat(out).isEqualTo("of the account");
    } finally {
      TreeDeleter.delete(mountPoint);
    }
  }

  /** The kernel rejects an overlay of a directory that contains a mount point. */
  @Test
  @Tag("long")
  void run_whileMountsAppearAndDisappear_succeeds() throws Exception {
    Requirement.require("root", ROOT, "only root can mount below /var");
    Path parent = Files.createTempDirectory(Path.of("/var/lib"), "trainyard-test");
    Path mountPoint = Files.createDirectory(parent.resolve("place"));
    Path source = Files.createDirectory(parent.resolve("source"));
    Files.writeString(source.resolve("file"), "seen\n");
    account.takeOwnership(source);
    Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
    String command =
        "cat %1$s/file; { echo changed >%1$s/file; } 2>/dev/null; ls -A /var/log /home"
                .formatted(mountPoint)
            + " | grep -v :$ | tr -d '\\n'; touch /etc/added && echo added";
    try {
      runToEnd(shared, "before", "true", "SUCCEEDED");
      mount("--bind", source.toString(), mountPoint.toString());
      assertThat(runToEnd(shared, "beside", command, "SUCCEEDED")).isEqualTo("seen\nadded\n");
      try (Trainyard later = Trainyard.start(account, directory.resolve("later"), Map.of())) {
        assertThat(runToEnd(later, "later", command, "SUCCEEDED")).isEqualTo("seen\nadded\n");
        JsonNode isolation = later.run("show", "later", "--json").json().get("isolation");
        assertThat(isolation.get("files").asText()).isEqualTo("PRIVATE");
        unmount(mountPoint);
        runToEnd(later, "gone", "true", "SUCCEEDED");
      }
      assertThat(source.resolve("file")).hasContent("seen");
      mount("-t", "tmpfs", "none", mountPoint.toString());
      runToEnd(shared, "again", "! touch " + mountPoint + "/x", "SUCCEEDED");
    } finally {
      unmount(mountPoint);
      TreeDeleter.delete(parent);
    }
    runToEnd(shared, "after", "true", "SUCCEEDED");
  }

  private static void mount(String... words) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("mount");
    builder.command().addAll(List.of(words));
    assertThat(builder.inheritIO().start().waitFor()).isZero();
  }

  private static void unmount(Path mountPoint) throws Exception {
    new ProcessBuilder("umount", "--lazy", mountPoint.toString())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  @Tag("long")
  @Test
  void stop_runningJob_canSaveItsState() throws Exception {
    String command = "trap 'sleep 0.3; echo saved; exit 0' TERM; echo up; sleep 300 & wait";
    String id = shared.submit(Trainyard.job("long", command)).get("id").asText();
    awaitLog(shared, id, "up\n");
    assertThat(shared.run("stop", "long").exitCode()).isZero();
    shared.await(id, "STOPPED");
    assertThat(shared.log(id, "stdout")).isEqualTo("up\nsaved\n");
  }

  @Tag("long")
  @Test
  void kill9_whileAJobRuns_jobIsAdoptedAndEndsOnce() throws Exception {
    String command =
        "echo begin; while [ ! -e /userhome/go ]; do sleep 0.1; done; echo once >> /userhome/count;"
            + " mkdir -m 0 /userhome/closed /opt/closed; echo end; exit 3";
    Path own = directory.resolve("killed");
    Trainyard first = Trainyard.start(account, own, Map.of());
    String id = first.submit(Trainyard.job("survivor", command)).get("id").asText();
    awaitLog(first, id, "begin\n");
    kill9(first);
    try (Trainyard second = Trainyard.start(account, own, Map.of())) {
      second.await(id, "RUNNING");
      Files.createFile(own.resolve("home/admin/go"));
      JsonNode job = second.await(id, "FAILED");
      assertThat(job.get("exitCode").asInt()).isEqualTo(3);
      assertThat(own.resolve("home/admin/count")).hasContent("once");
      assertThat(second.log(id, "stdout")).isEqualTo("begin\nend\n");
      assertThat(second.run("rm", "--yes", "survivor").exitCode()).isZero();
      awaitNoTask(own);
    }
  }

  /** Kills the server's process, which may be a child of the process that the test started. */
  private static void kill9(Trainyard trainyard) throws Exception {
    Path description = trainyard.data().resolve("server.json");
    long pid = Trainyard.JSON.readTree(description.toFile()).get("pid").asLong();
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    trainyard.process().waitFor(30, TimeUnit.SECONDS);
  }

  private static void awaitLog(Trainyard trainyard, String id, String text) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (!trainyard.log(id, "stdout").equals(text)) {
      assertThat(System.nanoTime()).as("log of %s", id).isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private static void awaitNoTask(Path data) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (System.nanoTime() < deadline) {
      try (var left = Files.list(data.resolve("tasks"))) {
        if (left.findAny().isEmpty()) {
          return;
        }
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    throw new AssertionError("a task's directory is still there");
  }
}
