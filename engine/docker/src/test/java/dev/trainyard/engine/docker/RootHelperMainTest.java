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

  /** Files that are not mounted in any task, or that are reached by a link. */
  private static final List<String> NO_FILES =
      List.of(
          "docker/id",
          "docker/tasks/id",
          "docker/tasks/../../docker/id",
          "logs",
          "logs/../docker/id",
          "logs/link",
          "home/alice/deep");

  @TempDir Path directory;
  private Path data;
  private Path outside;
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void setUp() throws IOException {
    Requirement.require("root", TestHost.USER == 0, "the root helper requires root");
    data = Files.createDirectory(directory.resolve("data"));
    outside = Files.createDirectory(directory.resolve("outside"));
    Files.createDirectories(data.resolve("home/alice/deep"));
    Files.createDirectories(data.resolve("docker/mounts").resolve(TASK).resolve("0"));
    Files.writeString(data.resolve("docker/id"), "0123456789ab\n");
    Files.createDirectories(data.resolve("logs/job"));
    Files.createSymbolicLink(data.resolve("logs/link"), data.resolve("docker/id"));
    Files.createSymbolicLink(data.resolve("home/link"), outside);
    Files.createSymbolicLink(data.resolve("home/alice/up"), Path.of("../../.."));
    Files.setAttribute(data, "unix:uid", ACCOUNT);
  }

  @AfterEach
  void end() throws Exception {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
    if (data != null) {
      TestHost.run("umount", "-l", data.resolve("docker/mounts").resolve(TASK).resolve("0") + "");
    }
  }

  private Process start(String number, int account) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                RootHelperMain.class.getName(),
                data.toString(),
                number,
                Integer.toString(account),
                Integer.toString(account),
                "/usr/sbin:/usr/bin:/sbin:/bin")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    started.add(process);
    return process;
  }

  /** Returns the responses to these lines, without the initial ready line. */
  private List<String> answers(List<String> lines) throws Exception {
    Process helper = start("0123456789ab", ACCOUNT);
    List<String> answers = new ArrayList<>();
    try (BufferedReader said =
            new BufferedReader(
                new InputStreamReader(helper.getInputStream(), StandardCharsets.US_ASCII));
        PrintStream asked =
            new PrintStream(helper.getOutputStream(), true, StandardCharsets.US_ASCII)) {
      assertThat(said.readLine()).isEqualTo(RootHelperMessage.READY);
      for (String line : lines) {
        asked.print(line + "\n");
        asked.flush();
        answers.add(said.readLine());
      }
    }
    assertThat(helper.waitFor()).as("it ends with its input").isZero();
    return answers;
  }

  private static String mount(String source, String task, String number, String range) {
    return RootHelperMessage.of(List.of("mount", source, task, number, "OWNED", range, "0", "0"));
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
            outside.toString(),
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
      lines.add(mount(path, TASK, "0", "1"));
      lines.add(RootHelperMessage.of(List.of("open", path)));
      lines.add(RootHelperMessage.of(List.of("give", path)));
      lines.add(RootHelperMessage.of(List.of("take", path)));
    }
    NO_FILES.forEach(path -> lines.add(RootHelperMessage.of(List.of("take", path))));
    for (String task : List.of("..", "../..", "x", TASK + "/..", "../tasks/" + TASK, "")) {
      lines.add(mount("home/alice", task, "0", "1"));
      lines.add(RootHelperMessage.of(List.of("unmount", task)));
    }
    for (String number : List.of("..", "-1", "999999", "0/../..", "")) {
      lines.add(mount("home/alice", TASK, number, "1"));
      lines.add(mount("home/alice", TASK, "0", number));
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
            RootHelperMessage.of(
                List.of("mount", "home/alice", TASK, "0", "NO_SUCH_ACCESS", "1", "0", "0"))));

    List<String> answers = answers(lines);

    for (int i = 0; i < lines.size(); i++) {
      assertThat(answers.get(i)).as(lines.get(i)).matches("(refused|failed)( .*)?");
    }
    assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).doesNotContain(data.toString());
    for (String name : List.of("../outside", "docker", "docker/mounts", "docker/id")) {
      Path path = data.resolve(name);
      assertThat(Files.getAttribute(path, "unix:uid")).as("%s", path).isEqualTo(0);
    }
  }

  @Test
  void mount_ofAUsersDirectory_canBeRepeatedAfterUnmount() throws Exception {
    Path on = data.resolve("docker/mounts").resolve(TASK).resolve("0");
    List<String> answers =
        answers(
            List.of(
                mount("home/alice", TASK, "0", "1"),
                RootHelperMessage.of(List.of("unmount", TASK)),
                mount("home/alice", TASK, "0", "1")));
    assertThat(answers).containsOnly(RootHelperMessage.done());
    assertThat(on.resolve("deep")).isDirectory();
  }

  @Test
  void reclaim_log_ownedByTheAccountOnly() throws Exception {
    Path log = Files.writeString(data.resolve("logs/job/stdout"), "x");
    TestHost.run("chmod", "4755", log.toString());
    String request = RootHelperMessage.of(List.of("take", "logs/job/stdout"));
    assertThat(answers(List.of(request))).containsOnly(RootHelperMessage.done());
    assertThat(TestHost.run("stat", "-c", "%u:%g %a", log.toString()).strip())
        .isEqualTo(ACCOUNT + ":" + ACCOUNT + " 600");
  }

  @Test
  void start_forAnotherDirectoryOrAccount_fails() throws Exception {
    assertThat(start("ba9876543210", ACCOUNT).waitFor()).isNotZero();
    assertThat(start("0123456789ab", ACCOUNT + 1).waitFor()).isNotZero();
  }
}
