package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the process that forks supervisors, and the supervisors after its end. */
class PerlSupervisorsTest {
  @TempDir Path data;

  @BeforeEach
  void requirePerl() {
    RealEngine.requireRoot(); // other accounts use the shell supervisor
  }

  @Test
  void killed_tasksContinueAndOthersStart() throws IOException {
    try (RealEngine realEngine = new RealEngine(data)) {
      TaskId runningTask =
          realEngine.task("echo ready; until [ -e /userhome/go ]; do sleep 0.1; done").start();
      RealEngine.await(
          () -> RealEngine.read(realEngine.logs(runningTask), "stdout").contains("ready"));
      ProcessHandle perl = perl();
      perl.destroyForcibly();
      RealEngine.await(() -> !Supervisors.isRunning(perl));

      TaskId nextTask = realEngine.task("touch /userhome/go").start();

      assertThat(realEngine.awaitEnd(nextTask).end().reason()).isEqualTo(ExitReason.SUCCEEDED);
      assertThat(realEngine.awaitEnd(runningTask).end().reason()).isEqualTo(ExitReason.SUCCEEDED);
    }
  }

  @Test
  void killedWhileATaskStarts_startIsRetried() throws Exception {
    try (RealEngine realEngine = new RealEngine(data)) {
      realEngine.awaitEnd(realEngine.task("true").start());
      ProcessHandle perl = perl();
      signal("STOP", perl);
      RealEngine.Draft draft = realEngine.task("echo ran");
      draft.reserve();
      Thread startThread = Thread.ofPlatform().start(draft::startReserved);
      // The request is written, and the stopped process does not respond.
      RealEngine.await(PerlSupervisorsTest::someThreadAwaitsAResponse);
      signal("KILL", perl);
      startThread.join();

      RealEngine.Result result = realEngine.awaitEnd(draft.id);
      assertThat(result.end().reason()).isEqualTo(ExitReason.SUCCEEDED);
      assertThat(result.stdout()).isEqualTo("ran\n");
    }
  }

  @Test
  void exchange_processDoesNotRespond_isKilledAndReplaced() throws Exception {
    Path script = data.resolve("supervise");
    Files.writeString(script, "exec sleep 600\n");
    AtomicBoolean deadlinePassed = new AtomicBoolean(true);
    Executor afterDeadline =
        action -> {
          if (deadlinePassed.get()) {
            action.run();
          }
        };
    byte[] request = {0, 0, 0, 0};
    try (PerlSupervisors supervisors =
        new PerlSupervisors("/bin/sh", script, () -> new byte[0], afterDeadline)) {
      supervisors.begin();
      assertThatThrownBy(() -> supervisors.exchange(request))
          .isInstanceOf(PerlSupervisors.ForkProcessEndedException.class);

      Files.writeString(script, "echo 42; exec cat\n");
      deadlinePassed.set(false);
      supervisors.begin();
      assertThat(supervisors.exchange(request)).startsWith("42");
    }
  }

  private static boolean someThreadAwaitsAResponse() {
    return Thread.getAllStackTraces().values().stream()
        .map(List::of)
        .anyMatch(
            frames -> isIn(frames, Pipe.class, "read") && isIn(frames, PerlSupervisors.class, ""));
  }

  private static boolean isIn(List<StackTraceElement> frames, Class<?> type, String method) {
    return frames.stream()
        .anyMatch(
            frame ->
                frame.getClassName().equals(type.getName())
                    && frame.getMethodName().startsWith(method));
  }

  private static void signal(String name, ProcessHandle process) throws Exception {
    String pid = Long.toString(process.pid());
    assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
  }

  /** A mount namespace that the process kept open would keep the mounts of removed tasks. */
  @Test
  void start_leavesNothingOpen() throws IOException {
    try (RealEngine realEngine = new RealEngine(data)) {
      assertThat(realEngine.awaitEnd(realEngine.task("true").start()).end().reason())
          .isEqualTo(ExitReason.SUCCEEDED);
      List<String> initialFiles = openFiles(perl());
      for (int i = 0; i < 3; i++) {
        realEngine.awaitEnd(realEngine.task("true").start());
      }
      assertThat(openFiles(perl()))
          .isEqualTo(initialFiles)
          .noneMatch(file -> file.startsWith("mnt:"));
    }
  }

  @Test
  void close_processEnds() throws IOException {
    ProcessHandle perl;
    try (RealEngine realEngine = new RealEngine(data)) {
      realEngine.awaitEnd(realEngine.task("true").start());
      perl = perl();
    }
    RealEngine.await(() -> !perl.isAlive()); // and is reaped
  }

  /** Returns the process of this test, because other tests may run at the same time. */
  private ProcessHandle perl() {
    String script = data.resolve("bin").toString();
    try (Stream<ProcessHandle> children = ProcessHandle.current().children()) {
      return children
          .filter(child -> commandLine(child).contains(script))
          .filter(Supervisors::isRunning)
          .findFirst()
          .orElseThrow();
    }
  }

  private static String commandLine(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
    } catch (IOException e) {
      return "";
    }
  }

  private static List<String> openFiles(ProcessHandle process) throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
      return descriptors.map(PerlSupervisorsTest::target).sorted().toList();
    }
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return "gone";
    }
  }
}
