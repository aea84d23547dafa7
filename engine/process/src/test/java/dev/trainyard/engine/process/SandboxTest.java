package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.process.RealEngine.Draft;
import dev.trainyard.engine.process.RealEngine.Result;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verifies with real tasks the environment of a task and its permitted operations. */
class SandboxTest {
  @TempDir static Path data;
  static RealEngine realEngine;

  @BeforeAll
  static void open() {
    realEngine = new RealEngine(data);
  }

  @AfterAll
  static void close() {
    if (realEngine != null) {
      realEngine.close();
    }
  }

  @Test
  void task_isRootInItsSandbox() throws IOException {
    Result result =
        realEngine.run(
            "id -u; hostname; pwd; cat /usr/local/pai/files/hello.txt; grep -c main-0 /etc/hosts");

    assertThat(result.stdout()).isEqualTo("0\nmain-0\n/userhome\nhello\n1\n");
  }

  @Test
  void platformDirectory_hasDirectoriesOfOpenPai() throws IOException {
    Result result =
        realEngine.run(
            """
            cd /usr/local/pai; ls -d init.d logs plugins secrets runtime.d
            ls runtime.d; touch logs/x && echo writable
            . runtime.d/runtime_env.sh && echo "$HOME $NVIDIA_VISIBLE_DEVICES"
            """);

    assertThat(result.stdout())
        .startsWith("init.d\nlogs\nplugins\nruntime.d\nsecrets\n")
        .contains("\nruntime_env.sh\n", "\nuser.sh\n")
        .endsWith("/userhome none\n")
        .doesNotContain("writable");
  }

  @Test
  void environmentFile_isTheTasksOwn() throws IOException {
    assertThat(realEngine.run("grep HOME= /etc/environment; echo X=1 > /etc/environment").stdout())
        .isEqualTo("export HOME='/userhome'\n");
  }

  @Test
  void hostFiles_areChangedInsideOnly() throws IOException {
    RealEngine.requireRoot();
    Path file = Path.of("/usr/bin/trainyard-" + data.getFileName());
    Result result =
        realEngine.run(
            "echo '#!/bin/sh' > "
                + file
                + " && chmod 755 "
                + file
                + " && "
                + file
                + " && rm /usr/bin/env && echo x >> /etc/passwd && mkdir /newdir /home/me"
                + " && chown 5:5 /newdir && echo done");

    assertThat(result.stdout()).isEqualTo("done\n");
    assertThat(file).doesNotExist();
    assertThat(Path.of("/usr/bin/env")).exists();
    assertThat(Path.of("/newdir")).doesNotExist();
  }

  @Test
  void package_canBeInstalled() throws IOException {
    RealEngine.requireRoot();
    Result result =
        realEngine.run(
            """
            command -v dpkg-deb >/dev/null || { echo none; exit; }
            mkdir -p /tmp/p/DEBIAN /tmp/p/opt && echo hi > /tmp/p/opt/from-package
            printf 'Package: ty-test\\nVersion: 1\\nArchitecture: all\\nMaintainer: a <a@b.c>\\nDescription: x\\n' > /tmp/p/DEBIAN/control
            dpkg-deb --build /tmp/p /tmp/p.deb >&2 && dpkg -i /tmp/p.deb >&2 && cat /opt/from-package
            """);

    assertThat(result.stdout()).as(result.stderr()).isIn("hi\n", "none\n");
    assertThat(Path.of("/opt/from-package")).doesNotExist();
  }

  @Test
  void home_persistsAndBelongsToTheUser() throws IOException {
    realEngine.run("mkdir -p output; echo kept > output/out.txt");
    Result result = realEngine.run("cat /userhome/output/out.txt; stat -c %u /userhome");

    assertThat(result.stdout()).isEqualTo("kept\n0\n");
  }

  @Test
  void scratch_isPrivate() throws IOException {
    assertThat(realEngine.run("echo x > /tmp/f; echo y > /var/tmp/f; stat -c %a /tmp").stdout())
        .isEqualTo("1777\n");
    assertThat(realEngine.run("ls -A /tmp /var/tmp | grep -c f").stdout()).isEqualTo("0\n");
  }

  @Test
  void sharedMemory_hasTheRequestedSize() throws IOException {
    assertThat(realEngine.run("df -m --output=size /dev/shm | tail -1").stdout().strip())
        .isEqualTo("64");
  }

  @Test
  void volumes_areMountedAtTheirTargets() throws IOException {
    Path input = Files.createDirectories(data.resolve("input"));
    Files.writeString(input.resolve("set"), "data");
    Path shared = data.resolve("shared");
    Draft draft =
        realEngine.task(
            "cat /gdata/in/set; touch /gdata/in/x && echo wrote; echo o > /tmp/output/o;"
                + " echo s > /gshare/s");
    draft.volumes.add(new Volume(input, "/gdata/in", Volume.Access.READ_ONLY));
    draft.volumes.add(new Volume(data.resolve("out"), "/tmp/output/", Volume.Access.OWNED));
    draft.volumes.add(new Volume(shared, "/gshare", Volume.Access.SHARED));

    assertThat(draft.run().stdout()).isEqualTo("data");
    assertThat(data.resolve("out/o")).hasContent("o");
    Draft otherDraft = realEngine.task("cat /gshare/s; echo t > /gshare/t");
    otherDraft.user = 7;
    otherDraft.volumes.add(new Volume(shared, "/gshare", Volume.Access.SHARED));
    assertThat(otherDraft.run().stdout()).isEqualTo("s\n");
    assertThat(shared.resolve("t")).exists();
  }

  @Test
  void volume_ownedButCreatedByTheServer() throws IOException {
    Path source = Files.createDirectories(data.resolve("made-before"));
    Draft draft = realEngine.task("echo x > /out/x && stat -c %u /out");
    draft.volumes.add(new Volume(source, "/out", Volume.Access.OWNED));

    assertThat(draft.run().stdout()).isEqualTo("0\n");
  }

  @Test
  void volume_missingSource() {
    Draft draft = realEngine.task("true");
    draft.volumes.add(new Volume(data.resolve("nowhere"), "/gdata/x", Volume.Access.READ_ONLY));

    assertThatThrownBy(draft::start)
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("/gdata/x");
  }

  @Test
  void workingDirectory_missing() throws IOException {
    Draft draft = realEngine.task("echo ran");
    draft.workingDirectory = "/no/such/place";
    Result result = draft.run();

    assertThat(result.end().reason()).isEqualTo(ExitReason.START_FAILED);
    assertThat(result.end().exitCode()).isEqualTo(255);
    assertThat(result.end().detail()).contains("/no/such/place");
    assertThat(result.stdout()).isEmpty();
  }

  @Test
  void standardStreams_canBeOpenedByName() throws IOException {
    Result result =
        realEngine.run("echo e > /dev/stderr; echo o > /dev/stdout; echo f > /dev/fd/1");

    assertThat(result.stdout()).isEqualTo("o\nf\n");
    assertThat(result.stderr()).isEqualTo("e\n");
  }

  @Test
  void signals_haveDefaultHandling() throws IOException {
    Result result =
        realEngine.run(
            "for s in INT QUIT PIPE TERM; do sh -c \"kill -$s \\$\\$; echo alive\"; done");

    assertThat(result.stdout()).isEmpty();
  }

  @Test
  void backgroundProcesses_endWithTheScript() throws IOException {
    Result result = realEngine.run("sleep 300 & (setsid sleep 300 &) ; echo done");

    assertThat(result.stdout()).isEqualTo("done\n");
    assertThat(result.end().reason()).isEqualTo(ExitReason.SUCCEEDED);
  }

  @Test
  void log_aboveTheLimit_keepsBothEnds() throws IOException {
    Draft draft =
        realEngine.task("echo first; head -c 20000000 /dev/zero | tr '\\0' x; echo; echo last");
    draft.logLimit = DataSize.ofMegabytes(1);
    Result result = draft.run();

    assertThat(result.end().reason()).isEqualTo(ExitReason.SUCCEEDED);
    assertThat(result.stdout()).startsWith("first\n").endsWith("x\nlast\n");
    assertThat(result.stdout()).contains("[trainyard: limit of 1 MB reached;");
    assertThat(result.stdout().length()).isBetween(2 << 20, (2 << 20) + 500);
  }

  @Test
  void log_anyBytes_areKept() throws IOException {
    Result result = realEngine.run("printf 'a\\000b\\377\\r50%%\\r'; head -c 3000000 /dev/zero");

    assertThat(result.stdout()).startsWith("a\0b\u00ff\r50%\r").hasSize(9 + 3_000_000);
  }

  @Test
  void memory_aboveTheLimit_killed() throws IOException {
    Draft draft = realEngine.task("x=$(head -c 200M /dev/zero | tr '\\0' x); sleep 300");
    draft.memory = DataSize.ofMegabytes(64);
    Result result = draft.run();

    assertThat(result.end().reason()).isEqualTo(ExitReason.OUT_OF_MEMORY);
    assertThat(result.end().exitCode()).isEqualTo(137);
  }

  @Test
  void supervisor_killed() throws IOException {
    Draft draft =
        realEngine.task("echo ready; while :; do sleep 0.02; date >> /userhome/beat; done");
    TaskId id = draft.start();
    RealEngine.await(() -> Files.exists(realEngine.home(1).resolve("beat")));
    TaskDirectory.Supervisor supervisor = directory(id).supervisor().orElseThrow();
    List<ProcessHandle> processes =
        ProcessHandle.of(supervisor.pid()).orElseThrow().descendants().toList();
    ProcessHandle.of(supervisor.pid()).orElseThrow().destroyForcibly();

    assertThat(realEngine.awaitEnd(id).end().reason()).isEqualTo(ExitReason.SUPERVISOR_LOST);
    RealEngine.await(() -> processes.stream().noneMatch(Supervisors::isRunning));
  }

  @Test
  void hostRestart_endsTasks() throws IOException {
    Draft draft = realEngine.task("true");
    realEngine.engine.reserve(draft.spec());
    TaskDirectory task = directory(draft.id);
    task.claim();
    Files.writeString(
        task.file("state"), "supervisor 1 1 another-boot 2 3 .\n", StandardOpenOption.APPEND);

    assertThat(realEngine.awaitEnd(draft.id).end().reason()).isEqualTo(ExitReason.NODE_LOST);
    realEngine.engine.remove(draft.id);
  }

  @Test
  void remove_leavesNothing() throws IOException {
    Draft draft = realEngine.task("mkdir -p /opt/a/b; echo ready; sleep 300 & sleep 300");
    TaskId id = draft.start();
    RealEngine.await(() -> RealEngine.read(realEngine.logs(id), "stdout").contains("ready"));
    Optional<ControlGroups> groups =
        ControlGroups.find(MountTable.ofThisProcess(), EngineEnvironment.label(data.toRealPath()));
    assertThat(groups.isPresent()).isEqualTo(RealEngine.IS_ROOT);
    if (groups.isPresent()) {
      assertThat(groups.get().processes(id.toString())).isNotEmpty();
    }
    realEngine.engine.remove(id);

    assertThat(data.resolve("tasks").resolve(id.toString())).doesNotExist();
    RealEngine.await(() -> RealEngine.isEmpty(data.resolve("trash")));
    assertThat(
            groups.map(controlGroups -> controlGroups.directories(id.toString())).orElse(List.of()))
        .noneMatch(Files::exists);
    assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).doesNotContain(id.toString());
    assertThat(ProcessHandle.allProcesses().filter(process -> mentions(process, id))).isEmpty();
  }

  @Test
  void remove_deepTree_deletesEverything() throws IOException {
    Result result =
        realEngine.run(
            "cd /opt; for i in $(seq 300); do mkdir a_rather_long_directory_name && cd"
                + " a_rather_long_directory_name; done; echo made");
    assertThat(result.stdout()).isEqualTo("made\n");
    realEngine.engine.remove(result.id());

    assertThat(data.resolve("tasks").resolve(result.id().toString())).doesNotExist();
  }

  @Test
  void limits_areSet() throws IOException {
    RealEngine.requireRoot();
    Draft draft = realEngine.task("echo ready; sleep 300");
    TaskId id = draft.start();
    Path memory =
        ControlGroups.find(MountTable.ofThisProcess(), EngineEnvironment.label(data.toRealPath()))
            .orElseThrow()
            .directories(id.toString())
            .getFirst();
    Path limit =
        Files.exists(memory.resolve("memory.max"))
            ? memory.resolve("memory.max")
            : memory.resolve("memory.limit_in_bytes");

    assertThat(limit).hasContent(Long.toString(256L << 20));
    realEngine.engine.remove(id);
  }

  private static TaskDirectory directory(TaskId id) {
    return new TaskDirectory(
        id, data.resolve("tasks").resolve(id.toString()), data.resolve("mounts"));
  }

  private static boolean mentions(ProcessHandle process, TaskId id) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
          .contains(id.toString());
    } catch (IOException e) {
      return false;
    }
  }
}
