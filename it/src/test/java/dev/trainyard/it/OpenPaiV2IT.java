package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.it.Trainyard.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Job files of OpenPAI's second format, from the file to the end of its tasks. */
class OpenPaiV2IT extends NeedsSandbox {
  private static final Path EXAMPLES = Trainyard.CHECKOUT.resolve("examples");

  @TempDir Path directory;

  @Test
  void run_example_everyTaskFinishes() throws Exception {
    try (Trainyard yard = start()) {
      Result run = yard.run("run", EXAMPLES.resolve("hello.yaml").toString());
      assertThat(run.exitCode()).as(run.toString()).isZero();
      assertThat(run.out().lines())
          .containsExactlyInAnyOrder("worker-0 | finished", "worker-1 | finished");
      Path output = yard.data().resolve("home/admin/output");
      assertThat(output.resolve("worker-1.txt")).hasContent("finished");
    }
  }

  @Test
  void run_converted_isTheSameJob() throws Exception {
    try (Trainyard yard = start()) {
      Result v2 = yard.run("convert", EXAMPLES.resolve("hello.json").toString(), "--to", "v2");
      assertThat(v2.exitCode()).as(v2.toString()).isZero();
      Path file = Files.writeString(directory.resolve("hello.yaml"), v2.out());
      Result run = yard.run("run", file.toString());
      assertThat(run.exitCode()).as(run.toString()).isZero();
      assertThat(run.out()).isEqualTo("finished\n");
    }
  }

  @Test
  void check_examples_areAllGood() throws Exception {
    try (Trainyard yard = start()) {
      Result check = yard.run("check", EXAMPLES.toString());
      assertThat(check.exitCode()).as(check.toString()).isZero();
    }
  }

  private Trainyard start() throws Exception {
    return Trainyard.start(directory.resolve("data"), "--capacity", "cpu=4,memoryMB=4096");
  }
}
