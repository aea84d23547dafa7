package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.exception.NotFoundException;
import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.TaskStart;
import dev.trainyard.engine.docker.RealEngine.Draft;
import dev.trainyard.engine.testkit.Requirement;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskEnd;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a start while the disk of the data directory is full. */
class FullDiskTest {
  @TempDir Path directory;
  private Path data;
  private RealEngine engine;

  @BeforeEach
  void open() throws Exception {
    TestImages.connection();
    Requirement.require("root", TestHost.USER == 0, "only root can mount a small disk");
    data = Files.createDirectory(directory.resolve("data"));
    assertThat(TestHost.run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", data.toString()))
        .isEmpty();
    engine = new RealEngine(data);
  }

  @AfterEach
  void close() throws Exception {
    if (engine != null) {
      freeDisk();
      engine.close();
    }
    if (data != null) {
      TestHost.run("umount", "--lazy", data.toString());
    }
  }

  private void fillDisk() {
    byte[] block = new byte[4096];
    try (OutputStream out = Files.newOutputStream(data.resolve("filling"))) {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  private void freeDisk() throws IOException {
    Files.deleteIfExists(data.resolve("filling"));
  }

  @Test
  void reserve_diskFull_failsAndLeavesNothing() throws IOException {
    Draft draft = engine.task("echo ran");
    fillDisk();
    assertThatThrownBy(draft::reserve)
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("No space left on device");
    assertThat(engine.engine.list()).isEmpty();
    assertThatThrownBy(() -> engine.inspect(draft.id)).isInstanceOf(NotFoundException.class);

    freeDisk();
    assertThat(draft.run().exitCode()).isZero();
    assertThat(engine.log(draft.id, "stdout")).isEqualTo("ran\n");
  }

  @Test
  void start_diskFull_isAPermanentEnd() throws IOException {
    Draft draft = engine.task("echo ran");
    draft.reserve();
    fillDisk();
    Map<String, String> variables = Map.of("LATE", "x".repeat(8192));
    engine.engine.start(draft.id, new TaskStart(variables, Map.of()));
    TaskEnd end = engine.awaitEnd(draft.id);
    assertThat(end.reason()).isEqualTo(ExitReason.START_FAILED);
    assertThat(end.detail()).contains("No space left on device");

    freeDisk();
    assertThat(engine.observation(draft.id).end()).contains(end);
    assertThat(engine.log(draft.id, "stdout")).isEmpty();
  }
}
