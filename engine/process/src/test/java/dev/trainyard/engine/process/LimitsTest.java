package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.process.RealEngine.Draft;
import dev.trainyard.engine.process.RealEngine.Result;
import dev.trainyard.engine.testkit.Requirement;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the limits of tasks and how exceeding them is reported, and that many tasks leak no
 * resources.
 */
class LimitsTest {
  @TempDir Path data;
  private RealEngine realEngine;

  @BeforeEach
  void open() {
    realEngine = new RealEngine(data);
  }

  @AfterEach
  void close() {
    if (realEngine != null) {
      realEngine.close();
    }
  }

  /** The kernel kills the script's own shell. */
  @Test
  void memory_exceededByTheFirstProcess() throws IOException {
    Draft draft = realEngine.task("x=x; while :; do x=$x$x$x; done");
    draft.memory = DataSize.ofMegabytes(64);
    Result result = draft.run();

    assertThat(result.end().reason()).isEqualTo(ExitReason.OUT_OF_MEMORY);
    assertThat(result.end().exitCode()).isEqualTo(137);
  }

  /** The file is written, but never mapped by any process. */
  @Test
  void memory_exceededByAMemoryFile() throws IOException {
    Requirement.require(
        "python", Files.isExecutable(Path.of("/usr/bin/python3")), "there is no /usr/bin/python3");
    Draft draft =
        realEngine.task(
            """
            cat > /tmp/fill.py <<'END'
            import os, time
            file = os.memfd_create('x')
            for megabyte in range(300):
                os.write(file, b'x' * (1 << 20))
            time.sleep(300)
            END
            /usr/bin/python3 /tmp/fill.py
            """);
    draft.memory = DataSize.ofMegabytes(128);

    assertThat(draft.run().end().reason()).isEqualTo(ExitReason.OUT_OF_MEMORY);
  }

  /** The copies remain although the file itself is empty again. */
  @Test
  void memory_exceededByPrivateCopiesOfAMemoryFile() throws IOException {
    Requirement.require(
        "python", Files.isExecutable(Path.of("/usr/bin/python3")), "there is no /usr/bin/python3");
    Draft draft =
        realEngine.task(
            """
            cat > /tmp/copy.py <<'END'
            import ctypes, mmap, os, time
            file = os.memfd_create('x')
            os.truncate(file, 300 << 20)
            copy = mmap.mmap(file, 300 << 20, flags=mmap.MAP_PRIVATE)
            for page in range(0, 300 << 20, 4096):
                copy[page] = 1
            ctypes.CDLL(None).fallocate(file, 3, ctypes.c_long(0), ctypes.c_long(300 << 20))
            time.sleep(300)
            END
            /usr/bin/python3 /tmp/copy.py
            """);
    draft.memory = DataSize.ofMegabytes(128);

    assertThat(draft.run().end().reason()).isEqualTo(ExitReason.OUT_OF_MEMORY);
  }

  @Test
  void kill_notByTheKernel() throws IOException {
    assertThat(realEngine.run("kill -9 $$").end().reason()).isEqualTo(ExitReason.KILLED_BY_SIGNAL);
  }

  @Test
  void sharedMemory_isLimited() throws IOException {
    Result result = realEngine.run("head -c 80M /dev/zero > /dev/shm/x; stat -c %s /dev/shm/x");

    assertThat(result.stdout()).isEqualTo((64 << 20) + "\n");
  }

  /** The Python program in a shell script needs more than a second to save after SIGTERM. */
  @Test
  void stop_pythonBelowAShell_canSave() throws IOException {
    Requirement.require(
        "python", Files.isExecutable(Path.of("/usr/bin/python3")), "there is no /usr/bin/python3");
    Draft draft =
        realEngine.task(
            """
            cat > /tmp/train.py <<'END'
            import signal, sys, time
            def save(number, frame):
                time.sleep(1.5)
                open('/userhome/checkpoint', 'w').write('saved')
                sys.exit(0)
            signal.signal(signal.SIGTERM, save)
            print('ready', flush=True)
            while True:
                time.sleep(0.05)
            END
            /usr/bin/python3 /tmp/train.py
            echo done
            """);
    TaskId id = draft.start();
    RealEngine.await(() -> RealEngine.read(realEngine.logs(id), "stdout").contains("ready"));
    realEngine.engine.stop(id, Duration.ofSeconds(30));

    assertThat(realEngine.awaitEnd(id).end().reason()).isEqualTo(ExitReason.STOPPED);
    assertThat(realEngine.home(1).resolve("checkpoint")).hasContent("saved");
  }

  @Test
  void manyTasks_leakNoDescriptorsAndThreads() throws IOException {
    realEngine.run("true");
    long descriptors = count(Path.of("/proc/self/fd"));
    long threads = count(Path.of("/proc/self/task"));
    List<TaskId> ids = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      ids.add(realEngine.task("echo ready; sleep 300 & wait").start());
    }
    for (TaskId id : ids) {
      RealEngine.await(() -> RealEngine.read(realEngine.logs(id), "stdout").contains("ready"));
    }
    assertThat(count(Path.of("/proc/self/task")) - threads).as("threads").isLessThan(25);
    ids.forEach(id -> realEngine.engine.stop(id, Duration.ofSeconds(30)));
    for (TaskId id : ids) {
      realEngine.awaitEnd(id);
      realEngine.engine.remove(id);
    }

    RealEngine.await(() -> count(Path.of("/proc/self/fd")) <= descriptors + 3);
    RealEngine.await(() -> count(Path.of("/proc/self/task")) <= threads + 12);
    assertThat(realEngine.engine.list()).hasSize(1);
  }

  private static long count(Path directory) {
    String[] names = directory.toFile().list();
    return names == null ? 0 : names.length;
  }
}
