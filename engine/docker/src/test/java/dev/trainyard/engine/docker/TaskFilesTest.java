package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.docker.RealEngine.Draft;
import dev.trainyard.model.DataSize;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a task that changes the host files that are mounted in its container. */
class TaskFilesTest {
  @TempDir Path data;
  private RealEngine engine;

  @BeforeEach
  void open() {
    engine = new RealEngine(data);
  }

  @AfterEach
  void close() {
    if (engine != null) {
      engine.close();
    }
  }

  private static int attribute(Path file, String name) throws Exception {
    return (Integer) Files.getAttribute(file, "unix:" + name);
  }

  @Test
  void files_changedOwnerAndMode_areReclaimed() throws Exception {
    Draft draft =
        engine.task(
            "cd /usr/local/pai/.trainyard; dd if=/dev/zero of=stdout bs=1 count=1 seek=3G;"
                + " chown 7:8 stdout; chmod 0 stdout; cat /bin/true >stderr; chown 0:0 stderr end;"
                + " chmod 6755 stderr; chmod 4777 /etc/hosts; exit 5");
    draft.logLimit = DataSize.ofMegabytes(1);
    assertThat(draft.run().exitCode()).isEqualTo(5);

    Path logs = engine.logs(draft.id);
    Path taskDirectory = data.resolve("docker/tasks").resolve(draft.id.toString());
    for (Path file :
        List.of(
            logs.resolve("stdout"),
            logs.resolve("stderr"),
            taskDirectory.resolve("end"),
            taskDirectory.resolve("hosts"))) {
      assertThat(attribute(file, "uid")).as("%s", file).isEqualTo(TestHost.USER);
      assertThat(attribute(file, "mode") & 07111).as("%s", file).isZero();
      assertThat(file).isReadable();
    }
    assertThat(Files.size(logs.resolve("stdout"))).isLessThan(3 << 20);
  }
}
