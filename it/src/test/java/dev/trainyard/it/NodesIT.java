package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who uses a node. */
class NodesIT extends NeedsSandbox {
  @TempDir Path directory;

  /** The first measurement, too, shows what a job does now, not its average since the start. */
  @Test
  void nodes_runawayJob_isFoundAtOnce() throws Exception {
    try (Trainyard yard =
        Trainyard.start(directory.resolve("data"), "--capacity", "cpu=4,memoryMB=4096")) {
      String idle = yard.submit(Trainyard.job("idle", "sleep 300")).get("id").asText();
      String command = "sleep 3; echo >/userhome/spins; while :; do :; done";
      String runaway = yard.submit(Trainyard.job("runaway", command)).get("id").asText();
      yard.await(idle, "RUNNING");
      yard.await(runaway, "RUNNING");
      Path mark = yard.data().resolve("home/admin/spins");
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (!Files.exists(mark)) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        TimeUnit.MILLISECONDS.sleep(20);
      }
      JsonNode jobs = yard.run("nodes", "--json").json().at("/nodes/0/jobs");
      assertThat(usedCpus(jobs, "runaway")).as(jobs.toString()).isGreaterThan(0.3);
      assertThat(usedCpus(jobs, "idle")).as(jobs.toString()).isLessThan(0.3);
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
