package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Submits job files of other platforms to a real server: jobs of valid files start, invalid files
 * are rejected. The test stops the jobs after their start because their results depend on images
 * and networks.
 */
class JobFilesIT extends NeedsSandbox {
  private static final Path FILES = Trainyard.CHECKOUT.resolve("core/jobfile/src/test/resources");

  /** Declared capacity for all jobs at once. */
  private static final String LARGE_CAPACITY = "cpu=1000,memoryMB=100000000,gpu=64,gpu:titanxp=8";

  /**
   * Jobs with more tasks are stopped without waiting for their start, because {@code ChaosIT} also
   * starts 500 tasks. With the Maven profile full, the test waits for all jobs.
   */
  private static final int MAX_AWAITED_TASKS =
      Boolean.getBoolean("trainyard.full") ? Integer.MAX_VALUE : 100;

  @TempDir Path directory;

  private static Map<Path, JsonNode> verdicts() throws IOException {
    Map<Path, JsonNode> all = new LinkedHashMap<>();
    for (String format : new String[] {"openpai-v1", "openpai-v2"}) {
      Path files = FILES.resolve(format);
      Trainyard.JSON
          .readTree(Files.readString(files.resolve("expected.json")))
          .properties()
          .forEach(verdict -> all.put(files.resolve(verdict.getKey()), verdict.getValue()));
    }
    return all;
  }

  @Test
  void submit_everyFile_startsOrIsRejected() throws Exception {
    List<String> ids = new ArrayList<>();
    Map<Path, String> started = new LinkedHashMap<>();
    try (Trainyard yard =
        Trainyard.start(directory.resolve("data"), "--capacity", LARGE_CAPACITY)) {
      for (var verdict : verdicts().entrySet()) {
        var response =
            yard.request("POST", "/api/v3/jobs?suffix=true", Files.readString(verdict.getKey()));
        JsonNode body = Trainyard.JSON.readTree(response.body());
        if (verdict.getValue().get("valid").asBoolean()) {
          assertThat(response.statusCode()).as("%s: %s", verdict.getKey(), body).isEqualTo(201);
          String id = body.get("id").asText();
          ids.add(id);
          if (taskCount(yard, id) > MAX_AWAITED_TASKS) {
            stop(yard, id);
          } else {
            started.put(verdict.getKey(), id);
          }
        } else {
          assertThat(response.statusCode()).as("%s: %s", verdict.getKey(), body).isEqualTo(400);
          assertThat(paths(body.get("problems"), "path"))
              .as("%s: %s", verdict.getKey(), body)
              .isEqualTo(paths(verdict.getValue().get("problems"), ""));
        }
      }
      assertThat(started).hasSizeGreaterThan(30);
      for (var job : started.entrySet()) {
        awaitStart(yard, job.getKey(), job.getValue());
        stop(yard, job.getValue());
      }
      for (String id : ids) {
        yard.await(id, "SUCCEEDED", "FAILED", "STOPPED");
      }
    }
  }

  private static int taskCount(Trainyard yard, String id) throws Exception {
    String job = yard.request("GET", "/api/v3/jobs/" + id, "").body();
    return Trainyard.JSON.readTree(job).get("taskCount").asInt();
  }

  private static void stop(Trainyard yard, String id) throws Exception {
    yard.request("POST", "/api/v3/jobs/" + id + "/stop?graceSeconds=0", "");
  }

  private static Set<String> paths(JsonNode problems, String field) {
    Set<String> paths = new TreeSet<>();
    problems.forEach(
        problem -> paths.add((field.isEmpty() ? problem : problem.get(field)).asText()));
    return paths;
  }

  /**
   * Waits until every task of the first attempt has started. Some tasks may already have finished.
   * The deadline is long because the 500 tasks of one file compete for the CPUs.
   */
  private static void awaitStart(Trainyard yard, Path file, String id) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(400);
    while (true) {
      JsonNode attempt =
          Trainyard.JSON.readTree(
              yard.request("GET", "/api/v3/jobs/" + id + "/attempts/1", "").body());
      if (attempt.path("started").asLong() > 0) {
        assertThat(attempt.get("tasks")).as("%s", file).isNotEmpty();
        assertThat(attempt.get("tasks"))
            .as("%s: %s", file, attempt)
            .allMatch(task -> task.path("started").asLong() > 0);
        return;
      }
      if (System.nanoTime() > deadline) {
        String why = yard.request("GET", "/api/v3/jobs/" + id, "").body();
        throw new AssertionError(file + " has not started: " + why);
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}
