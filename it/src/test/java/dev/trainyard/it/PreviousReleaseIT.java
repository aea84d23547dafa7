package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.testkit.Requirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Starts a server with a data directory of the release with schema version 23, including a task
 * whose supervisor is still running. The recorded files of that release must never be changed.
 */
class PreviousReleaseIT extends NeedsSandbox {
  private static final Path RECORDED =
      Trainyard.CHECKOUT.resolve("server/foundation/src/test/resources/upgrade/v23");
  private static final String RUNNING = "01M7NZZFHRZ4SZ64F08HM5YQ3V";
  private static final String LOST = "01M7NZZHBKDS9P2ZB812AW0MZ4";
  private static final String WAITING = "01M7NZZHXVHJCRG7VC5CSZ4TP1";
  private static final String WITH_STORAGE = "01M7NZZJT3P56861543PF0EWSJ";

  @TempDir Path directory;
  private Path data;
  private Process supervisor;

  @BeforeEach
  void restoreRecordedData() throws Exception {
    Requirement.require(
        "root",
        ROOT,
        "the recorded data directory is that of a server run as root, whose home directories belong"
            + " to the users' host IDs");
    data = Files.createDirectory(directory.resolve("data")).toRealPath();
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + data.resolve("trainyard.db"));
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(readRecorded("sqlite.sql"));
    }
    write("gdata/set", "dataset\n");
    write("home/admin/file-a", "home\n");
    write("storages/users/admin/disk/f", "of the previous release\n");
    Files.setPosixFilePermissions(
        data.resolve("storages/users/admin/disk/f"), PosixFilePermissions.fromString("rw-rw-rw-"));
    supervisor = supervise(data.resolve("tasks/" + RUNNING + ".1.main.0"));
  }

  @AfterEach
  void stop() {
    if (supervisor != null) {
      supervisor.descendants().forEach(ProcessHandle::destroyForcibly);
      supervisor.destroyForcibly();
    }
  }

  private String readRecorded(String name) throws IOException, InterruptedException {
    Process uname = new ProcessBuilder("uname", "-n").start();
    String node = new String(uname.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    uname.waitFor();
    return Files.readString(RECORDED.resolve(name))
        .replace("@DATA@", data.toString())
        .replace("@NODE@", node.strip());
  }

  private void write(String name, String text) throws IOException {
    Path file = data.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /**
   * Starts a task as that release does, but without a sandbox, because the sandbox does not affect
   * the adoption.
   */
  private Process supervise(Path task) throws Exception {
    write("tasks/" + task.getFileName() + "/spec.json", readRecorded("spec.json"));
    write("tasks/" + task.getFileName() + "/state", "reserved\n");
    Path logs = Files.createDirectories(data.resolve("logs/" + RUNNING + "/1/main/0"));
    Path script =
        Files.writeString(directory.resolve("supervise.sh"), readRecorded("supervise.sh"));
    Path home = data.resolve("home/admin");
    String command =
        "echo begin; until [ -e '%s/go-a' ]; do sleep 0.1; done; cat '%s/file-a'; exit 3"
            .formatted(home, home);
    String open = "mkfifo out err; exec 5<>out 6<>err 3<out 4<err 9</dev/null; ";
    Process process =
        new ProcessBuilder(
                "setsid",
                "sh",
                "-c",
                open + "exec sh \"$0\" - \"$1\" 2097152 0 0 sh -c \"$2\"",
                script.toString(),
                logs.toString(),
                command)
            .directory(task.toFile())
            .redirectError(directory.resolve("supervisor.err").toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (var in = process.outputWriter()) {
      in.write("go\n");
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!Files.readString(task.resolve("state")).contains("supervisor ")) {
      assertThat(System.nanoTime()).as("waited 60 s").isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(20);
    }
    // The sandbox of that release writes this line after it has started the task's program.
    Files.writeString(task.resolve("state"), "started\n", StandardOpenOption.APPEND);
    return process;
  }

  @Test
  void up_onDataOfPreviousRelease_runningJobsHomesDatasetsAndStoragesWork() throws Exception {
    write("home/admin/go-b", "");
    try (Trainyard yard =
        Trainyard.start(data, "--engine", "process", "--capacity", "cpu=8,memoryMB=4096")) {
      assertThat(yard.await(RUNNING, "RUNNING").get("attempt").asInt()).isEqualTo(1);
      yard.await(WAITING, "RUNNING");
      yard.await(WITH_STORAGE, "RUNNING");
      for (String gate : new String[] {"go-a", "go-c", "go-s"}) {
        write("home/admin/" + gate, "");
      }
      assertThat(yard.await(RUNNING, "FAILED").get("exitCode").asInt()).isEqualTo(3);
      assertThat(yard.log(RUNNING, "stdout")).isEqualTo("begin\nhome\n");
      assertThat(yard.await(WAITING, "FAILED").get("exitCode").asInt()).isEqualTo(3);
      assertThat(yard.log(WAITING, "stdout")).isEqualTo("begin\ndataset\nhome\ndataset\nend\n");
      yard.await(WITH_STORAGE, "SUCCEEDED");
      assertThat(yard.log(WITH_STORAGE, "stdout")).isEqualTo("kept\n");
      assertThat(data.resolve("storages/users/admin/disk/f")).hasContent("kept");
      // The supervisor of this task no longer exists, so the task runs again.
      assertThat(yard.await(LOST, "FAILED").get("exitCode").asInt()).isEqualTo(3);
      assertThat(data.resolve("tasks")).isEmptyDirectory();
    }
  }
}
