package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.trainyard.it.Trainyard.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs two parameter servers, which never exit, and two workers; all of them communicate with each
 * other.
 */
class ParameterServerIT extends NeedsSandbox {
  private static final Path EXAMPLE = Trainyard.CHECKOUT.resolve("examples/parameter-server.yaml");
  private static final Path LEINAO =
      Trainyard.CHECKOUT.resolve(
          "core/jobfile/src/test/resources/openpai-v1/"
              + "leinao-tensorflow-distributed-distributed_job.json");

  /**
   * Downloads at the beginning of LeinaoPAI's commands; the test removes them because it has no
   * network.
   */
  private static final String FETCH = "pip install tqdm && cd /userhome && wget -c \\S+ && python ";

  @TempDir static Path directory;
  private static Trainyard yard;

  @BeforeAll
  static void start() throws Exception {
    yard =
        Trainyard.start(
            directory.resolve("data"), "--capacity", "cpu=8,memoryMB=65536,gpu:titanxp=4");
  }

  @AfterAll
  static void stopServer() {
    if (yard != null) {
      yard.close();
    }
  }

  @Test
  void run_example_succeedsWithItsWorkersAndStopsItsServers() throws Exception {
    Result run = yard.run("run", EXAMPLE.toString());
    assertThat(run.exitCode()).as(run.toString()).isZero();
    assertThat(run.out()).contains("ps-0 | ps 0: listens at", "ps-1 | ps 1: listens at");
    assertThat(run.out()).contains("worker-0 | worker 0: loss", "worker-1 | worker 1: loss");
    assertEnds(yard.run("show", "parameter-server", "--json").json());
    assertLearned("parameter-server");
  }

  /** Submits LeinaoPAI's original file, except that the program is already in {@code /userhome}. */
  @Test
  void submit_leinaoFile_succeedsWithItsWorkersAndStopsItsServers() throws Exception {
    Path home = Files.createDirectories(yard.data().resolve("home/admin"));
    Files.writeString(home.resolve("mnist_replica.py"), program());
    ObjectNode file = (ObjectNode) Trainyard.JSON.readTree(Files.readString(LEINAO));
    for (JsonNode role : file.get("taskRoles")) {
      String command = role.get("command").asText();
      assertThat(command).containsPattern("^" + FETCH);
      ((ObjectNode) role).put("command", command.replaceFirst(FETCH, "/usr/bin/python3 "));
    }
    String id = yard.submit(file.toString()).get("id").asText();
    JsonNode job = yard.await(id, "SUCCEEDED", "FAILED");
    assertEnds(job);
    assertThat(job.at("/tasks/2/devices")).hasSize(2);
    assertLearned("tensorflow-distributed/output");
  }

  /** Returns the Python program of the example. */
  private static String program() throws Exception {
    Matcher block =
        Pattern.compile("(?s)  PROGRAM: \\|\n(.*?)\ntaskRoles:").matcher(Files.readString(EXAMPLE));
    assertThat(block.find()).isTrue();
    return block.group(1).stripIndent();
  }

  private static void assertEnds(JsonNode job) {
    assertThat(job.get("state").asText()).as(job.toString()).isEqualTo("SUCCEEDED");
    assertThat(job.get("tasks")).hasSize(4);
    for (JsonNode task : job.get("tasks")) {
      boolean server = task.get("role").asText().equals("ps");
      assertThat(task.get("state").asText()).as(job.toString()).isEqualTo("ENDED");
      assertThat(task.get("exitReason").asText())
          .as(job.toString())
          .isEqualTo(server ? "STOPPED" : "SUCCEEDED");
    }
  }

  private static void assertLearned(String trained) throws Exception {
    for (int worker = 0; worker < 2; worker++) {
      Path file = yard.data().resolve("home/admin/" + trained + "/weights-" + worker + ".json");
      JsonNode weights = Trainyard.JSON.readTree(Files.readString(file));
      assertThat(weights).hasSize(6);
      assertThat(weights.get(0).asDouble()).isBetween(2.9, 3.1);
      assertThat(weights.get(3).asDouble()).isBetween(7.9, 8.1);
    }
  }
}
