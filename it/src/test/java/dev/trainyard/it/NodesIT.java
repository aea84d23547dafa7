package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows which jobs use a node. */
class NodesIT extends NeedsSandbox {
  @TempDir Path directory;

  /**
   * Asserts only a small share of the CPUs, because the share that the job gets depends on other
   * load of the host.
   */
  @Test
  void nodes_runawayJob_isFoundInOneCommand() throws Exception {
    try (Trainyard yard =
        Trainyard.start(directory.resolve("data"), "--capacity", "cpu=4,memoryMB=4096")) {
      String idle = yard.submit(Trainyard.job("idle", "sleep 300")).get("id").asText();
      String command = "while :; do :; done";
      String runaway = yard.submit(Trainyard.job("runaway", command)).get("id").asText();
      yard.await(idle, "RUNNING");
      yard.await(runaway, "RUNNING");
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      JsonNode jobs;
      do {
        assertThat(System.nanoTime()).isLessThan(deadline);
        jobs = yard.run("nodes", "--json").json().at("/nodes/0/jobs");
      } while (usedCpus(jobs, "runaway") < 0.1 || usedCpus(jobs, "idle") >= 0.1);
      assertThat(usedCpus(jobs, "runaway")).as(jobs.toString()).isLessThan(2);
      yard.run("stop", "idle", "runaway");
      yard.await(runaway, "STOPPED");
      yard.await(idle, "STOPPED");
    }
  }

  private static double usedCpus(JsonNode jobs, String name) {
    for (JsonNode job : jobs) {
      if (job.get("name").asText().equals(name)) {
        return job.get("usedCpus").asDouble();
      }
    }
    throw new AssertionError(name + " is not listed: " + jobs);
  }
}
