package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Submits the two unmodified training jobs of OpenPAI users. */
class SeedJobsIT extends NeedsSandbox {
  private static final String LARGE_CAPACITY = "cpu=8,memoryMB=65536,gpu=2";

  @TempDir Path directory;

  private static Path example(String name) {
    return Trainyard.CHECKOUT.resolve("examples").resolve(name);
  }

  @Test
  void submit_withDeclaredCapacity_runsUntilItsProgramFails() throws Exception {
    try (Trainyard trainyard =
        Trainyard.start(directory.resolve("data"), "--capacity", LARGE_CAPACITY)) {
      for (String file : new String[] {"cifar10.json", "mnist.json"}) {
        var submitted = trainyard.run("submit", example(file).toString(), "--json").json();
        assertThat(submitted.fieldNames()).toIterable().contains("id", "name", "user");
        JsonNode job = trainyard.await(submitted.get("id").asText(), "FAILED");
        assertThat(job.get("started").asLong()).isPositive();
        assertThat(job.get("exitCode").asInt()).isNotZero();
        assertThat(job.at("/tasks/0/devices").toString()).isEqualTo("[0]");
        assertThat(trainyard.log(job.get("id").asText(), "stderr")).isNotEmpty();
        assertThat(trainyard.run("show", job.get("name").asText()).out())
            .contains("openpai/pai.example");
      }
    }
  }

  @Test
  void submit_dataAndOutputDirectories_areMountedAndOutputIsKept() throws Exception {
    try (Trainyard trainyard =
        Trainyard.start(directory.resolve("data"), "--capacity", LARGE_CAPACITY)) {
      ObjectNode file =
          (ObjectNode) Trainyard.JSON.readTree(Files.readString(example("cifar10.json")));
      ((ObjectNode) file.at("/taskRoles/0"))
          .put(
              "command",
              "echo \"$PAI_DATA_DIR $PAI_OUTPUT_DIR $CUDA_VISIBLE_DEVICES\";"
                  + " ls -d $PAI_DATA_DIR; echo model > $PAI_OUTPUT_DIR/model.txt");
      String id = trainyard.submit(file.toString()).get("id").asText();
      trainyard.await(id, "SUCCEEDED");
      assertThat(trainyard.log(id, "stdout")).isEqualTo("/tmp/data /tmp/output 0\n/tmp/data\n");
      assertThat(trainyard.data().resolve("jobs/" + id + "/output/model.txt")).hasContent("model");
    }
  }

  @Test
  void why_nodeTooSmall_reportsMissingResources() throws Exception {
    try (Trainyard trainyard =
        Trainyard.start(directory.resolve("data"), "--capacity", "cpu=2,memoryMB=4096")) {
      var submitted = trainyard.run("submit", example("cifar10.json").toString());
      assertThat(submitted.exitCode()).isZero();
      assertThat(submitted.out() + submitted.err()).contains("GPU", "CPU");
      String why = trainyard.run("why", "tensorflow-cifar10").out();
      assertThat(why).contains("1 GPU", "8 CPUs", "32 GiB of memory");
      assertThat(trainyard.run("show", "tensorflow-cifar10", "--json").json().get("state").asText())
          .isEqualTo("WAITING");
    }
  }
}
