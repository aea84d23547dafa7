package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** For an invalid submission, the server reports all problems and stores nothing. */
class BadInputIT extends NeedsSandbox {
  @TempDir static Path directory;
  private static Trainyard trainyard;

  @BeforeAll
  static void start() throws Exception {
    trainyard = Trainyard.start(directory.resolve("data"));
  }

  @AfterAll
  static void stop() throws Exception {
    if (trainyard != null) {
      trainyard.close();
    }
  }

  private static JsonNode submitRejected(String body) throws Exception {
    var response = trainyard.request("POST", "/api/v3/jobs", body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    JsonNode error = Trainyard.JSON.readTree(response.body());
    assertThat(error.get("code").asText()).isEqualTo("INVALID_JOB");
    assertThat(error.get("message").asText()).isNotBlank();
    var jobs = Trainyard.JSON.readTree(trainyard.request("GET", "/api/v3/jobs", "").body());
    assertThat(jobs.get("jobs")).isEmpty();
    return error.get("problems");
  }

  @ParameterizedTest
  @CsvSource({
    "../evil",
    "a~b",
    "smile\uD83D\uDE00",
    "'a b'",
    "..",
  })
  void submit_invalidName_isRejected(String name) throws Exception {
    JsonNode problems = submitRejected(Trainyard.job(name, "true"));
    assertThat(problems.findValuesAsText("path")).containsExactly("jobName");
  }

  @Test
  void submit_severalProblems_reportsAll() throws Exception {
    JsonNode problems =
        submitRejected(
            """
            {"jobName": "x", "image": "i", "retryCount": -3, "colour": 1,
             "taskRoles": [{"name": "main", "cpuNumber": -1, "command": "true"}]}
            """);
    assertThat(problems.findValuesAsText("path"))
        .containsExactlyInAnyOrder("retryCount", "colour", "taskRoles[0].cpuNumber");
    assertThat(problems.findValuesAsText("line")).containsExactlyInAnyOrder("1", "1", "2");
  }

  @Test
  void submit_invalidJson_reportsThePosition() throws Exception {
    JsonNode problems = submitRejected("{\"jobName\": \"x\",\n \"image\": oops}");
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).get("line").asInt()).isEqualTo(2);
  }

  @Test
  void submit_tooManyTasks_isRejected() throws Exception {
    String file =
        Trainyard.job("x", "true").replace("\"memoryMB\"", "\"taskNumber\":10001,\"memoryMB\"");
    assertThat(submitRejected(file).findValuesAsText("path")).containsExactly("taskRoles");
  }

  @Test
  void submit_tenMegabytes_isRejectedWithTheLimit() throws Exception {
    assertThat(submitRejected(Trainyard.job("x", "#".repeat(10_000_000)))).hasSize(1);
  }

  @Test
  void submit_retryOnFailureOnly_succeedsOnce() throws Exception {
    String id = trainyard.submit(withRetries(-1)).get("id").asText();
    assertThat(trainyard.await(id, "SUCCEEDED").get("attempt").asInt()).isEqualTo(1);
    assertThat(trainyard.run("rm", "--yes", id).exitCode()).isZero();
  }

  @Test
  void submit_retryAlways_runsUntilItIsStopped() throws Exception {
    String id = trainyard.submit(withRetries(-2)).get("id").asText();
    while (trainyard.await(id, "WAITING", "PREPARING", "RUNNING").get("attempt").asInt() < 3) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(trainyard.run("stop", id).exitCode()).isZero();
    trainyard.await(id, "STOPPED");
    assertThat(trainyard.run("rm", "--yes", id).exitCode()).isZero();
  }

  private static String withRetries(int count) {
    return Trainyard.job("retry" + count, "true")
        .replace("{\"jobName\"", "{\"retryCount\":" + count + ",\"jobName\"");
  }
}
