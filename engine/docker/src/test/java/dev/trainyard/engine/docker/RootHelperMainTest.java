package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.testkit.Requirement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the root helper as a process with root privileges, and the requests that it rejects. */
class RootHelperMainTest {
  private static final int ACCOUNT = 12345;
  private static final String TASK = "01ARZ3NDEKTSV4RRFFQ69G5FAV.1.main.0";

  /** Paths of files that are not mounted in any task, or that contain a link. */
  private static final List<String> INVALID_FILES =
      List.of(
          "docker/id",
          "docker/tasks/id",
          "docker/tasks/../../docker/id",
          "logs",
          "logs/../docker/id",
          "logs/link",
          "home/alice/deep");

  @TempDir Path directory;
  private Path dataDirectory;
  private Path outsideDirectory;
  private final List<Process> startedProcesses = new ArrayList<>();

  @BeforeEach
  void setUp() throws IOException {
    Requirement.require("root", TestHost.USER == 0, "the root helper requires root");
    dataDirectory = Files.createDirectory(directory.resolve("data"));
    outsideDirectory = Files.createDirectory(directory.resolve("outside"));
    Files.createDirectories(dataDirectory.resolve("home/alice/deep"));
    Files.createDirectories(dataDirectory.resolve("docker/mounts").resolve(TASK).resolve("0"));
    Files.writeString(dataDirectory.resolve("docker/id"), "0123456789ab\n");
    Files.createDirectories(dataDirectory.resolve("logs/job"));
    Files.createSymbolicLink(
        dataDirectory.resolve("logs/link"), dataDirectory.resolve("docker/id"));
    Files.createSymbolicLink(dataDirectory.resolve("home/link"), outsideDirectory);
    Files.createSymbolicLink(dataDirectory.resolve("home/alice/up"), Path.of("../../.."));
    Files.setAttribute(dataDirectory, "unix:uid", ACCOUNT);
  }

  @AfterEach
  void stopProcesses() throws Exception {
    for (Process process : startedProcesses) {
      process.destroyForcibly().waitFor();
    }
    if (dataDirectory != null) {
      TestHost.run(
          "umount", "-l", dataDirectory.resolve("docker/mounts").resolve(TASK).resolve("0") + "");
    }
  }

  private Process start(String serverId, int account) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                RootHelperMain.class.getName(),
                dataDirectory.toString(),
                serverId,
                Integer.toString(account),
                Integer.toString(account),
                "/usr/sbin:/usr/bin:/sbin:/bin")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    startedProcesses.add(process);
    return process;
  }

  /** Returns the responses to these lines, without the initial ready line. */
  private List<String> send(List<String> lines) throws Exception {
    Process helper = start("0123456789ab", ACCOUNT);
    List<String> responses = new ArrayList<>();
    try (BufferedReader responseReader =
            new BufferedReader(
                new InputStreamReader(helper.getInputStream(), StandardCharsets.US_ASCII));
        PrintStream requestWriter =
            new PrintStream(helper.getOutputStream(), true, StandardCharsets.US_ASCII)) {
      assertThat(responseReader.readLine()).isEqualTo(RootHelperMessage.READY);
      for (String line : lines) {
        requestWriter.print(line + "\n");
        requestWriter.flush();
        responses.add(responseReader.readLine());
      }
    }
    assertThat(helper.waitFor()).as("the root helper exits when its input ends").isZero();
    return responses;
  }

  private static String mountRequest(String source, String task, String number, String range) {
    return RootHelperMessage.encode(
        List.of("mount", source, task, number, "OWNED", range, "0", "0"));
  }

  @Test
  void requests_outsideTheDataDirectory_areRejected() throws Exception {
    List<String> lines = new ArrayList<>();
    for (String path :
        List.of(
            "..",
            "../outside",
            "home/../../outside",
            "home/alice/../../docker",
            outsideDirectory.toString(),
            "/",
            "",
            ".",
            "docker",
            "docker/mounts",
            "home/link",
            "home/link/x",
            "home/alice/up",
            "home/alice/up/outside",
            "home/none",
            "home/alice\0x")) {
      lines.add(mountRequest(path, TASK, "0", "1"));
      lines.add(RootHelperMessage.encode(List.of("open", path)));
      lines.add(RootHelperMessage.encode(List.of("delete", path)));
      lines.add(RootHelperMessage.encode(List.of("take", path)));
    }
    INVALID_FILES.forEach(path -> lines.add(RootHelperMessage.encode(List.of("take", path))));
    for (String task : List.of("..", "../..", "x", TASK + "/..", "../tasks/" + TASK, "")) {
      lines.add(mountRequest("home/alice", task, "0", "1"));
      lines.add(RootHelperMessage.encode(List.of("unmount", task)));
    }
    for (String number : List.of("..", "-1", "999999", "0/../..", "")) {
      lines.add(mountRequest("home/alice", TASK, number, "1"));
      lines.add(mountRequest("home/alice", TASK, "0", number));
    }
    lines.addAll(
        List.of(
            "",
            "run",
            "mount",
            "private x",
            "block 0.0.0.0%2F0%20-j%20ACCEPT false",
            "%zz",
            "open a b",
            RootHelperMessage.encode(
                List.of("mount", "home/alice", TASK, "0", "NO_SUCH_ACCESS", "1", "0", "0"))));

    List<String> responses = send(lines);

    for (int i = 0; i < lines.size(); i++) {
      assertThat(responses.get(i)).as(lines.get(i)).matches("(refused|failed)( .*)?");
    }
    assertThat(Files.readString(Path.of("/proc/self/mountinfo")))
        .doesNotContain(dataDirectory.toString());
    for (String name : List.of("../outside", "docker", "docker/mounts", "docker/id")) {
      Path path = dataDirectory.resolve(name);
      assertThat(Files.getAttribute(path, "unix:uid")).as("%s", path).isEqualTo(0);
    }
  }

  @Test
  void mount_ofAUsersDirectory_canBeRepeatedAfterUnmount() throws Exception {
    Path mountPoint = dataDirectory.resolve("docker/mounts").resolve(TASK).resolve("0");
    List<String> responses =
        send(
            List.of(
                mountRequest("home/alice", TASK, "0", "1"),
                RootHelperMessage.encode(List.of("unmount", TASK)),
                mountRequest("home/alice", TASK, "0", "1")));
    assertThat(responses).containsOnly(RootHelperMessage.success());
    assertThat(mountPoint.resolve("deep")).isDirectory();
  }

  @Test
  void reclaim_log_ownedByTheAccountOnly() throws Exception {
    Path log = Files.writeString(dataDirectory.resolve("logs/job/stdout"), "x");
    TestHost.run("chmod", "4755", log.toString());
    String request = RootHelperMessage.encode(List.of("take", "logs/job/stdout"));
    assertThat(send(List.of(request))).containsOnly(RootHelperMessage.success());
    assertThat(TestHost.run("stat", "-c", "%u:%g %a", log.toString()).strip())
        .isEqualTo(ACCOUNT + ":" + ACCOUNT + " 600");
  }

  @Test
  void start_forAnotherDirectoryOrAccount_fails() throws Exception {
    assertThat(start("ba9876543210", ACCOUNT).waitFor()).isNotZero();
    assertThat(start("0123456789ab", ACCOUNT + 1).waitFor()).isNotZero();
  }
}
