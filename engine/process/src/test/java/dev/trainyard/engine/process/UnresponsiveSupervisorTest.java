package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A supervisor that does not respond to a stop is killed some seconds after the grace period. */
class UnresponsiveSupervisorTest {
  @TempDir Path data;

  @Test
  void stop_stoppedSupervisorIsKilled() throws Exception {
    try (RealEngine realEngine = new RealEngine(data)) {
      TaskId id = startWithStoppedSupervisor(realEngine);
      List<ProcessHandle> processes = processes(id);

      realEngine.engine.stop(id, Duration.ofMillis(100));

      assertStopped(realEngine.awaitEnd(id), processes);
    }
  }

  @Test
  void stop_stoppedSupervisorIsKilledByTheNextServer() throws Exception {
    try (RealEngine firstEngine = new RealEngine(data)) {
      TaskId id = startWithStoppedSupervisor(firstEngine);
      List<ProcessHandle> processes = processes(id);
      directory(id).markStopped(System.nanoTime());
      firstEngine.engine.close();

      try (RealEngine secondEngine = new RealEngine(data)) {
        assertStopped(secondEngine.awaitEnd(id), processes);
        secondEngine.engine.remove(id);
      }
    }
  }

  private TaskId startWithStoppedSupervisor(RealEngine realEngine) throws Exception {
    TaskId id = realEngine.task("echo ready; sleep 300 & wait").start();
    RealEngine.await(() -> RealEngine.read(realEngine.logs(id), "stdout").contains("ready"));
    String supervisor = Integer.toString(directory(id).supervisor().orElseThrow().pid());
    assertThat(new ProcessBuilder("kill", "-STOP", supervisor).start().waitFor()).isZero();
    return id;
  }

  private List<ProcessHandle> processes(TaskId id) throws IOException {
    ProcessHandle supervisor =
        ProcessHandle.of(directory(id).supervisor().orElseThrow().pid()).orElseThrow();
    return Stream.concat(Stream.of(supervisor), supervisor.descendants()).toList();
  }

  private static void assertStopped(RealEngine.Result result, List<ProcessHandle> processes) {
    assertThat(result.end().reason()).isEqualTo(ExitReason.STOPPED);
    assertThat(result.end().exitCode()).isEqualTo(137);
    assertThat(processes).hasSizeGreaterThan(1).noneMatch(Supervisors::isRunning);
  }

  private TaskDirectory directory(TaskId id) {
    return new TaskDirectory(id, data.resolve("tasks").resolve(id.toString()), data);
  }
}
