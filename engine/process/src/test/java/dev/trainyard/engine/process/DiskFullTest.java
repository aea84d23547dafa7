package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.process.RealEngine.Draft;
import dev.trainyard.engine.process.RealEngine.Result;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a full disk that contains all files of the engine, simulated by a small file system. */
class DiskFullTest {
  @TempDir Path directory;
  private Path data;
  private RealEngine realEngine;

  @BeforeEach
  void open() throws Exception {
    RealEngine.requireRoot();
    data = Files.createDirectory(directory.resolve("disk"));
    run("mount", "-t", "tmpfs", "-o", "size=24m", "none", data.toString());
    realEngine = new RealEngine(data);
  }

  @AfterEach
  void close() throws Exception {
    if (realEngine != null) {
      realEngine.close();
      run("umount", "--lazy", data.toString());
    }
  }

  @Test
  void task_diskFilledByTask() throws IOException {
    Draft draft = realEngine.task("cat /dev/zero > /userhome/big || exit 5");
    Result result = draft.run();

    assertThat(result.end().reason()).isEqualTo(ExitReason.DISK_FULL);
    assertThat(result.end().exitCode()).isEqualTo(5);
    Files.delete(realEngine.home(1).resolve("big"));
    assertThat(realEngine.run("exit 5").end().reason()).isEqualTo(ExitReason.COMMAND_FAILED);
  }

  @Test
  void task_fillsTheDiskWithItsLog() throws IOException {
    Draft draft = realEngine.task("head -c 60M /dev/zero | tr '\\0' x; exit 3");
    draft.logLimit = DataSize.ofMegabytes(100);
    TaskId id = draft.start();
    RealEngine.await(() -> realEngine.logs(id).resolve("stdout").toFile().length() > 10 << 20);
    realEngine.engine.stop(id, Duration.ofMillis(100));

    assertThat(realEngine.awaitEnd(id).end().reason()).isEqualTo(ExitReason.STOPPED);
  }

  @Test
  void task_continuesWhenSpaceIsFreed() throws IOException {
    Path filler = data.resolve("filler");
    Draft draft =
        realEngine.task(
            "echo ready; until [ -e /userhome/full ]; do sleep 0.02; done; echo lost;"
                + " until [ -e /userhome/free ]; do sleep 0.02; done; sleep 1; echo last; exit 0");
    TaskId id = draft.start();
    RealEngine.await(() -> RealEngine.read(realEngine.logs(id), "stdout").contains("ready"));
    Files.createFile(realEngine.home(1).resolve("full.draft"));
    Files.createFile(realEngine.home(1).resolve("free.draft"));
    fill(filler);
    Files.move(realEngine.home(1).resolve("full.draft"), realEngine.home(1).resolve("full"));
    Files.delete(filler);
    Files.move(realEngine.home(1).resolve("free.draft"), realEngine.home(1).resolve("free"));
    Result result = realEngine.awaitEnd(id);

    assertThat(result.end().reason()).isEqualTo(ExitReason.SUCCEEDED);
    assertThat(result.stdout()).startsWith("ready\n").endsWith("last\n");
  }

  /** Recording the end needs no additional disk space. */
  @Test
  void task_endsWhileTheDiskIsFull() throws IOException {
    Draft draft =
        realEngine.task("echo ready; until [ -e /userhome/go ]; do sleep 0.02; done; exit 0");
    TaskId id = draft.start();
    RealEngine.await(() -> RealEngine.read(realEngine.logs(id), "stdout").contains("ready"));
    Files.createFile(realEngine.home(1).resolve("go.draft"));
    fill(data.resolve("filler"));
    Files.move(realEngine.home(1).resolve("go.draft"), realEngine.home(1).resolve("go"));

    assertThat(realEngine.awaitEnd(id).end().reason()).isEqualTo(ExitReason.SUCCEEDED);
  }

  private static void fill(Path file) throws IOException {
    byte[] block = new byte[4096];
    try (var out = Files.newOutputStream(file)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  private static void run(String... command) throws Exception {
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }
}
