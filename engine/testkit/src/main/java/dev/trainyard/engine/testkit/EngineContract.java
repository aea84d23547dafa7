package dev.trainyard.engine.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.LogChunk;
import dev.trainyard.engine.LogStream;
import dev.trainyard.engine.SecretFiles;
import dev.trainyard.engine.TaskObservation;
import dev.trainyard.engine.TaskObservation.Phase;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.TaskStart;
import dev.trainyard.engine.Usage;
import dev.trainyard.engine.Volume;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests that every engine must pass. A subclass opens the engine to test. */
public abstract class EngineContract extends EngineFixture {
  private static final Duration LONG_GRACE = Duration.ofMinutes(5);

  @Test
  void nodes_hasProcessorsAndMemory() {
    assertThat(engine.nodes()).isNotEmpty();
    assertThat(engine.nodes().getFirst().cpus()).isPositive();
    assertThat(engine.nodes().getFirst().memory().bytes()).isPositive();
  }

  @Test
  void reserve_doesNotRunTheScript() {
    TaskId task = reserve("echo ran");

    assertThat(phase(task)).isEqualTo(Phase.RESERVED);
    assertThat(log(task, "stdout")).isEmpty();
  }

  @Test
  void reserve_twice_runsOnce() {
    TaskSpec spec = spec("exit 3");
    engine.reserve(spec);
    engine.reserve(spec);
    engine.start(spec.id(), TaskStart.NONE);

    assertThat(awaitEnd(spec.id()).exitCode()).isEqualTo(3);
  }

  @Test
  void start_exitCodeOfTheScript() {
    TaskEnd successfulEnd = run("true");
    assertThat(successfulEnd.exitCode()).isZero();
    assertThat(successfulEnd.reason()).isEqualTo(ExitReason.SUCCEEDED);

    TaskEnd failedEnd = run("false; echo still here; exit 7");
    assertThat(failedEnd.exitCode()).isEqualTo(7);
    assertThat(failedEnd.reason()).isEqualTo(ExitReason.COMMAND_FAILED);

    TaskEnd killedEnd = run("kill -9 $$");
    assertThat(killedEnd.exitCode()).isEqualTo(137);
    assertThat(killedEnd.reason()).isEqualTo(ExitReason.KILLED_BY_SIGNAL);
  }

  @Test
  void start_twice_runsOnce() {
    TaskId task = reserve("echo once");
    engine.start(task, TaskStart.NONE);
    engine.start(task, TaskStart.NONE);
    awaitEnd(task);
    engine.start(task, TaskStart.NONE);

    assertThat(log(task, "stdout")).isEqualTo("once\n");
  }

  @Test
  void start_withoutReservation_fails() {
    assertThatThrownBy(() -> engine.start(newId(), TaskStart.NONE))
        .isInstanceOf(EngineException.class);
  }

  @Test
  void start_separatesStreams() {
    TaskId task = start("echo to out; echo to err >&2");
    awaitEnd(task);

    assertThat(log(task, "stdout")).isEqualTo("to out\n");
    assertThat(log(task, "stderr")).isEqualTo("to err\n");
  }

  @Test
  void start_hasBothEnvironments() {
    TaskId task = reserve("echo $EARLY $LATE; printf %s \"$QUOTED\"");
    engine.start(task, new TaskStart(Map.of("LATE", "late"), Map.of()));
    awaitEnd(task);

    assertThat(log(task, "stdout")).isEqualTo("early late\nit's \"$HOME\"\n\tdone");
  }

  @Test
  void start_setsTheWorkingDirectoryVariable() {
    TaskId task = start("echo \"$PAI_WORK_DIR\"; pwd");
    awaitEnd(task);

    String[] lines = log(task, "stdout").split("\n", -1);
    assertThat(lines[0]).startsWith("/").isEqualTo(lines[1]);
  }

  @Test
  void stop_taskCanSave() {
    TaskId task = start("trap 'echo saved; exit 5' TERM; echo ready; while :; do sleep 0.05; done");
    await(() -> log(task, "stdout").contains("ready"));
    engine.stop(task, LONG_GRACE);

    TaskEnd end = awaitEnd(task);
    assertThat(end.reason()).isEqualTo(ExitReason.STOPPED);
    assertThat(end.exitCode()).isEqualTo(5);
    assertThat(log(task, "stdout")).endsWith("saved\n");
  }

  @Test
  void stop_signalsEveryProcess() {
    TaskId task =
        start(
            "(trap 'sleep 0.3; echo saved; exit' TERM; echo ready; while :; do sleep 0.05; done) &"
                + " wait");
    await(() -> log(task, "stdout").contains("ready"));
    engine.stop(task, LONG_GRACE);

    assertThat(awaitEnd(task).reason()).isEqualTo(ExitReason.STOPPED);
    assertThat(log(task, "stdout")).endsWith("saved\n");
  }

  @Test
  void stop_killsAfterGracePeriod() {
    TaskId task = start("trap '' TERM; echo ready; while :; do sleep 0.05; done");
    await(() -> log(task, "stdout").contains("ready"));
    engine.stop(task, Duration.ofMillis(200));

    TaskEnd end = awaitEnd(task);
    assertThat(end.reason()).isEqualTo(ExitReason.STOPPED);
    assertThat(end.exitCode()).isEqualTo(137);
  }

  @Test
  void stop_rightAfterStart() {
    TaskId task = start("sleep 300");
    engine.stop(task, LONG_GRACE);

    assertThat(awaitEnd(task).reason()).isEqualTo(ExitReason.STOPPED);
  }

  /**
   * Covers the moment at which a process executes another program and its environment cannot be
   * read.
   */
  @Test
  void stop_processThatKeepsStartingPrograms() {
    TaskId task = start("export again='exec sh -c \"$again\"'; echo ready; exec sh -c \"$again\"");
    await(() -> log(task, "stdout").contains("ready"));
    engine.stop(task, LONG_GRACE);

    assertThat(awaitEnd(task).reason()).isEqualTo(ExitReason.STOPPED);
  }

  @Test
  void stop_beforeStart() {
    TaskId task = reserve("echo ran");
    engine.stop(task, LONG_GRACE);
    engine.start(task, TaskStart.NONE);

    TaskEnd end = awaitEnd(task);
    assertThat(end.reason()).isEqualTo(ExitReason.STOPPED);
    assertThat(end.exitCode()).isEqualTo(255);
    assertThat(log(task, "stdout")).isEmpty();
  }

  @Test
  void stop_afterTheEnd_noEffect() {
    TaskId task = start("exit 4");
    TaskEnd end = awaitEnd(task);
    engine.stop(task, Duration.ZERO);

    assertThat(awaitEnd(task)).isEqualTo(end);
  }

  @Test
  void stop_unknownTask_noEffect() {
    engine.stop(newId(), LONG_GRACE);

    assertThat(engine.list()).isEmpty();
  }

  @Test
  void list_keepsTheEndUntilRemoved() {
    TaskId task = start("exit 9");
    TaskEnd end = awaitEnd(task);
    reopen();

    assertThat(awaitEnd(task)).isEqualTo(end);
    engine.remove(task);
    assertThat(engine.list()).isEmpty();
  }

  @Test
  void list_adoptsRunningTasks() {
    TaskId task = start("echo ready; until [ -e /tmp/go ]; do sleep 0.05; done");
    await(() -> log(task, "stdout").contains("ready"));
    reopen();

    assertThat(phase(task)).isEqualTo(Phase.RUNNING);
    engine.stop(task, LONG_GRACE);
    assertThat(awaitEnd(task).reason()).isEqualTo(ExitReason.STOPPED);
  }

  @Test
  void remove_keepsTheLogs() {
    TaskId task = start("echo kept");
    awaitEnd(task);
    engine.remove(task);
    engine.remove(task);

    assertThat(log(task, "stdout")).isEqualTo("kept\n");
  }

  @Test
  void remove_killsRunningTask() {
    TaskId task = start("echo ready; sleep 300");
    await(() -> log(task, "stdout").contains("ready"));
    engine.remove(task);

    assertThat(engine.list()).isEmpty();
  }

  @Test
  void watch_reportsTheEnd() throws InterruptedException {
    BlockingQueue<TaskObservation> observations = new LinkedBlockingQueue<>();
    engine.watch(observations::add);
    TaskId task = start("exit 6");

    Optional<TaskEnd> end = Optional.empty();
    while (end.isEmpty()) {
      TaskObservation observation = observations.poll(DEADLINE.toSeconds(), TimeUnit.SECONDS);
      assertThat(observation).as("reported in time").isNotNull();
      assertThat(observation.id()).isEqualTo(task);
      end = observation.end();
    }
    assertThat(end.get().exitCode()).isEqualTo(6);
  }

  @Test
  void watch_adoptedTask_reportsTheEnd() throws InterruptedException {
    TaskId task = start("echo ready; until [ -e /tmp/never ]; do sleep 0.05; done");
    await(() -> log(task, "stdout").contains("ready"));
    reopen();
    BlockingQueue<TaskObservation> observations = new LinkedBlockingQueue<>();
    engine.watch(observations::add);
    engine.stop(task, LONG_GRACE);

    TaskObservation observation = observations.poll(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    assertThat(observation).as("reported in time").isNotNull();
    assertThat(observation.end().orElseThrow().reason()).isEqualTo(ExitReason.STOPPED);
  }

  @Test
  void start_afterServerRestart() {
    TaskId task = reserve("echo $EARLY $LATE");
    reopen();
    assertThat(phase(task)).isEqualTo(Phase.RESERVED);
    engine.start(task, new TaskStart(Map.of("LATE", "late"), Map.of()));

    assertThat(awaitEnd(task).reason()).isEqualTo(ExitReason.SUCCEEDED);
    assertThat(log(task, "stdout")).isEqualTo("early late\n");
  }

  @Test
  void start_secretsAreVisibleToTheTaskOnly() {
    String value = "s3cret-" + ULIDS.next();
    TaskId task = reserve("echo not this");
    engine.start(
        task,
        secrets(
            "[ \"$(cat \"${0%/*}/secrets.yaml\")\" = '"
                + value
                + "' ] && echo ready; until [ -e /tmp/never ]; do sleep 0.05; done",
            value));
    await(() -> log(task, "stdout").equals("ready\n"));
    Traces.of(value).assertNoneIn(directory).assertNoneInProcesses();
    reopen();
    engine.stop(task, LONG_GRACE);

    assertThat(awaitEnd(task).reason()).isEqualTo(ExitReason.STOPPED);
    Traces.of(value).assertNoneIn(directory).assertNoneIn(Path.of("/dev/shm"));
  }

  @Test
  void start_secretsLongerThanAPipe_afterServerRestart() {
    String longLine = "#" + "x".repeat(1 << 20) + "\n";
    TaskId task = reserve("echo not this");
    reopen();
    TaskStart taskStart = secrets(longLine + "cat \"${0%/*}/secrets.yaml\" | wc -c", longLine);
    engine.start(task, taskStart);
    engine.start(task, taskStart);

    assertThat(awaitEnd(task).exitCode()).isZero();
    assertThat(log(task, "stdout").strip()).isEqualTo(String.valueOf(longLine.length()));
  }

  @Test
  void prepareVolume_unusedDirectory_tasksOfTheUserCanWrite() throws IOException {
    Path source = directory.resolve("data/volumes/home");
    Volume volume = new Volume(source, "/userhome", Volume.Access.OWNED);
    TaskSpec baseSpec = spec("echo written > file");
    engine.prepareVolume(volume, baseSpec.idRange());
    engine.prepareVolume(volume, baseSpec.idRange());
    assertThat(source).isDirectory();
    Object owner = Files.getAttribute(source, "unix:uid");

    TaskSpec spec =
        new TaskSpec(
            baseSpec.id(),
            baseSpec.user(),
            baseSpec.idRange(),
            baseSpec.hostName(),
            baseSpec.image(),
            baseSpec.script(),
            baseSpec.environment(),
            volume.target(),
            baseSpec.resources(),
            baseSpec.ports(),
            baseSpec.devices(),
            List.of(volume),
            baseSpec.files(),
            baseSpec.logDirectory(),
            baseSpec.logLimit());
    engine.reserve(spec);
    engine.start(spec.id(), TaskStart.NONE);

    assertThat(awaitEnd(spec.id()).exitCode()).isZero();
    assertThat(Files.getAttribute(source, "unix:uid")).isEqualTo(owner);
    assertThat(Files.getAttribute(source.resolve("file"), "unix:uid")).isEqualTo(owner);
  }

  @Test
  void start_secretPreparationReplacesPrecommands() {
    TaskSpec baseSpec = spec("echo script");
    TaskSpec spec =
        new TaskSpec(
            baseSpec.id(),
            baseSpec.user(),
            baseSpec.idRange(),
            baseSpec.hostName(),
            baseSpec.image(),
            baseSpec.script(),
            baseSpec.environment(),
            baseSpec.workingDirectory(),
            baseSpec.resources(),
            baseSpec.ports(),
            baseSpec.devices(),
            baseSpec.volumes(),
            Map.of("runtime.d/precommands.sh", "echo not this"),
            baseSpec.logDirectory(),
            baseSpec.logLimit());
    engine.reserve(spec);
    Map<String, String> contents = Map.of(SecretFiles.PRECOMMANDS, "echo prepared");
    engine.start(spec.id(), TaskStart.NONE.withSecrets(new SecretFiles(contents)));

    assertThat(awaitEnd(spec.id()).exitCode()).isZero();
    assertThat(log(spec.id(), "stdout")).isEqualTo("prepared\nscript\n");
  }

  private static TaskStart secrets(String script, String document) {
    return TaskStart.NONE.withSecrets(
        new SecretFiles(Map.of(SecretFiles.SCRIPT, script, "secrets.yaml", document)));
  }

  @Test
  void reserve_uniquePermanentAddress() {
    TaskSpec firstSpec = spec("true");
    TaskSpec secondSpec = spec("true");
    String firstAddress = engine.reserve(firstSpec);
    String secondAddress = engine.reserve(secondSpec);

    assertThat(firstAddress).isNotEqualTo(secondAddress);
    assertThat(engine.reserve(firstSpec)).isEqualTo(firstAddress);
    reopen();
    assertThat(engine.reserve(secondSpec)).isEqualTo(secondAddress);
    assertThat(engine.reserve(spec("true"))).isNotIn(firstAddress, secondAddress);
  }

  @Test
  protected void start_writesTheHosts() {
    TaskSpec spec = spec("grep -E 'worker-1|main-0' /etc/hosts | tr ' ' = | sort -u");
    String address = engine.reserve(spec);
    Map<String, String> hosts = Map.of("main-0", address, "worker-1", "10.1.2.3");
    engine.start(spec.id(), new TaskStart(Map.of(), hosts));
    awaitEnd(spec.id());

    assertThat(log(spec.id(), "stdout").lines())
        .containsExactlyInAnyOrder(address + "=main-0", "10.1.2.3=worker-1");
  }

  @Test
  void follow_everyByteOnce() {
    TaskId task = start("i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); echo line $i; done");
    StringBuilder text = new StringBuilder();
    String cursor = "";
    boolean isLast = false;
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    for (int round = 0; !isLast; round++) {
      LogChunk chunk = engine.follow(task, LogStream.STDOUT, cursor);
      text.append(StandardCharsets.UTF_8.decode(chunk.bytes()));
      cursor = chunk.next();
      isLast = chunk.last();
      if (round == 1) {
        reopen();
      }
      assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
    }

    assertThat(text.toString()).isEqualTo(log(task, "stdout")).endsWith("line 2000\n");
    assertThat(text.toString().lines()).hasSize(2000);
    LogChunk emptyChunk = engine.follow(task, LogStream.STDOUT, cursor);
    assertThat(emptyChunk.bytes().hasRemaining()).isFalse();
    assertThat(emptyChunk.last()).isTrue();
  }

  @Test
  void follow_beforeTheStart_empty() {
    LogChunk chunk = engine.follow(reserve("true"), LogStream.STDERR, "");

    assertThat(chunk.bytes().hasRemaining()).isFalse();
    assertThat(chunk.last()).isFalse();
  }

  @Test
  void usage_ofRunningTask() {
    TaskId task = start("sleep 300 & echo ready; wait");
    await(() -> log(task, "stdout").contains("ready"));
    Usage usage = engine.usage(task).orElseThrow();

    assertThat(usage.processes()).isBetween(2, 20);
    assertThat(usage.memory().bytes()).isBetween(1L, 1L << 30);
    assertThat(usage.cpuTime()).isLessThan(DEADLINE);
    engine.remove(task);
    assertThat(engine.usage(task)).isEmpty();
  }

  @Test
  void isPortFree_portInUse_false() throws IOException {
    String node = engine.nodes().getFirst().name();
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
      assertThat(engine.isPortFree(node, port)).isFalse();
    }
    assertThat(engine.isPortFree(node, port)).isTrue();
  }

  /** The first server requests the stop and ends before the grace period expires. */
  @Test
  void stop_continuesAfterServerRestart() {
    TaskId task = start("trap '' TERM; echo ready; while :; do sleep 0.05; done");
    await(() -> log(task, "stdout").contains("ready"));
    engine.stop(task, Duration.ofSeconds(1));
    reopen();

    TaskEnd end = awaitEnd(task);
    assertThat(end.reason()).isEqualTo(ExitReason.STOPPED);
    assertThat(end.exitCode()).isEqualTo(137);
  }
}
