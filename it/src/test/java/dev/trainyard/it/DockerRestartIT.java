package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.engine.testkit.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills the server and restarts the Docker engine while jobs run. */
class DockerRestartIT extends NeedsDocker {
  private static final int JOBS = 50;
  private static final int KILLS = 10;
  private static final List<Integer> RESTARTS = List.of(3, 7);
  private static final long DEADLINE = TimeUnit.MINUTES.toNanos(6);

  /** Command that records the start and the end of its task, each with one write. */
  private static final String WORK =
      "mkdir -p /userhome/ran; echo begun >>/userhome/ran/$PAI_JOB_NAME; sleep 1;"
          + " echo done >>/userhome/ran/$PAI_JOB_NAME; echo out $PAI_JOB_NAME";

  @TempDir Path directory;

  @AfterEach
  void removeLeftovers() throws Exception {
    removeLeftovers(directory.resolve("data"));
  }

  @Test
  void serverAndEngineRestarted_everyJobFinishesOnce() throws Exception {
    Requirement.require(
        "docker", engine("is-ours") == 0, "the Docker engine was not started by it/docker/engine");
    Path data = directory.resolve("data");
    List<String> jobs = new ArrayList<>();
    Trainyard trainyard = start(data);
    try {
      for (int i = 0; i < JOBS; i++) {
        jobs.add(submit(trainyard, "job" + i));
      }
      for (int kill = 0; kill < KILLS; kill++) {
        awaitFinished(trainyard, (kill + 1) * JOBS / (KILLS + 2));
        trainyard.kill();
        if (RESTARTS.contains(kill)) {
          assertThat(engine("restart")).isZero();
        }
        trainyard = start(data);
      }
      awaitFinished(trainyard, JOBS);
      for (int i = 0; i < JOBS; i++) {
        check(trainyard, jobs.get(i), data.resolve("home/admin/ran/job" + i));
      }
    } finally {
      trainyard.close();
    }
    assertThat(leftovers(data)).isEmpty();
  }

  @Test
  void engineStopped_jobsWaitWithoutUsingAttempts() throws Exception {
    Requirement.require(
        "docker", engine("is-ours") == 0, "the Docker engine was not started by it/docker/engine");
    Path data = directory.resolve("data");
    try (Trainyard trainyard = start(data)) {
      List<String> jobs = new ArrayList<>();
      assertThat(engine("stop")).isZero();
      try {
        for (int i = 0; i < 3; i++) {
          jobs.add(submit(trainyard, "away" + i));
        }
        for (String job : jobs) {
          JsonNode waiting = awaitReason(trainyard, job);
          // A job that was placed before the outage was detected keeps its allocation.
          assertThat(waiting.get("state").asText()).as("%s", waiting).isIn("WAITING", "PREPARING");
        }
        var health = trainyard.request("GET", "/healthz", "");
        assertThat(health.statusCode()).as(health.body()).isEqualTo(200);
        assertThat(health.body()).contains("degraded");
      } finally {
        assertThat(engine("start")).isZero();
      }
      for (String job : jobs) {
        JsonNode ended = trainyard.await(job, "SUCCEEDED", "FAILED", "STOPPED");
        assertThat(ended.get("state").asText()).as("%s", ended).isEqualTo("SUCCEEDED");
        assertThat(ended.get("attempt").asInt()).as("%s", ended).isEqualTo(1);
        assertThat(ended.get("attempts")).as("%s", ended).hasSize(1);
      }
    }
  }

  private static JsonNode awaitReason(Trainyard trainyard, String job) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (true) {
      JsonNode found =
          Trainyard.JSON.readTree(trainyard.request("GET", "/api/v3/jobs/" + job, "").body());
      if (found.path("reasonCode").asText().equals("wait.engine-absent")) {
        return found;
      }
      assertThat(System.nanoTime()).as("%s", found).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static String submit(Trainyard trainyard, String name) throws Exception {
    String file = Trainyard.job(name, WORK).replace("ubuntu:16.04", "trainyard-test/busybox");
    return trainyard.submit(file).get("id").asText();
  }

  /**
   * Checks the result of a job. Each restart of the engine may have aborted one run of the job; the
   * repetition of this run is not counted as a retry.
   */
  private static void check(Trainyard trainyard, String job, Path ran) throws Exception {
    JsonNode over = trainyard.await(job, "SUCCEEDED", "FAILED", "STOPPED");
    assertThat(over.get("state").asText()).as("%s", over).isEqualTo("SUCCEEDED");
    List<String> lines = Files.readAllLines(ran);
    int attempts = over.get("attempt").asInt();
    assertThat(lines.stream().filter("begun"::equals).count()).isBetween(1L, (long) attempts);
    assertThat(lines).endsWith("done");
    assertThat(attempts).isLessThanOrEqualTo(1 + RESTARTS.size());
    assertThat(trainyard.log(job, "stdout")).isEqualTo("out " + over.get("name").asText() + "\n");
  }

  private static void awaitFinished(Trainyard trainyard, int count) throws Exception {
    long end = System.nanoTime() + DEADLINE;
    while (true) {
      JsonNode found =
          Trainyard.JSON.readTree(
              trainyard
                  .request("GET", "/api/v3/jobs?limit=1&total=true&state=SUCCEEDED,FAILED", "")
                  .body());
      if (found.path("total").asInt() >= count) {
        return;
      }
      assertThat(System.nanoTime()).as("%s of %d", found.path("total"), count).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static Trainyard start(Path data) throws Exception {
    return Trainyard.start(data, "--engine", "docker", "--capacity", "cpu=8,memoryMB=32768");
  }

  /**
   * Returns the containers and networks of this server, because other servers may use the same
   * engine.
   */
  private static List<String> leftovers(Path data) throws Exception {
    String own =
        "label=dev.trainyard.server=" + Files.readString(data.resolve("docker/id")).strip();
    List<String> all = new ArrayList<>();
    all.addAll(docker("ps", "-a", "--filter", own, "--format", "{{.Names}}").lines().toList());
    all.addAll(docker("network", "ls", "--filter", own, "--format", "{{.Name}}").lines().toList());
    return all;
  }

  private static int engine(String command) throws Exception {
    Path script = Trainyard.CHECKOUT.resolve("it/docker/engine");
    return new ProcessBuilder(script.toString(), command).inheritIO().start().waitFor();
  }
}
