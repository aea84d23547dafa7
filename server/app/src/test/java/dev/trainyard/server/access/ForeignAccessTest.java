package dev.trainyard.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.server.job.JobFileText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit log records access of administrators to other users' jobs. */
class ForeignAccessTest {
  private static final String PASSWORD = "correct-horse-battery";
  private static final String JOB = "/api/v3/jobs/alice~hello";

  private AccessTestServer server;
  private String alice;
  private String root;

  @BeforeEach
  void start(@TempDir Path data) throws IOException {
    server = new AccessTestServer(data);
    server.sendAsAdministrator("POST", "/api/v3/users", user("alice", false));
    server.sendAsAdministrator("POST", "/api/v3/users", user("rita", true));
    alice = signIn("alice");
    root = signIn("rita");
    server.sendSuccessfully("POST", "/api/v3/jobs", JobFileText.named("hello"), alice);
    server.sendSuccessfully("POST", "/api/v3/jobs", JobFileText.named("second"), alice);
    Instant end = Instant.now().plus(Duration.ofSeconds(60));
    while (!server
        .sendSuccessfully("GET", JOB, "", alice)
        .get("state")
        .asText()
        .equals("RUNNING")) {
      assertThat(Instant.now()).isBefore(end);
      Thread.onSpinWait();
    }
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String user(String name, boolean admin) {
    return "{\"name\": \"%s\", \"password\": \"%s\", \"admin\": %s}"
        .formatted(name, PASSWORD, admin);
  }

  private String signIn(String name) {
    String body = "{\"user\": \"%s\", \"password\": \"%s\"}".formatted(name, PASSWORD);
    return server.sendSuccessfully("POST", "/api/v3/sessions", body, "").get("token").asText();
  }

  /** Returns "user action target" of the audit records about reads of jobs and tokens. */
  private List<String> records() {
    JsonNode found =
        server.sendSuccessfully("GET", "/api/v3/audit?limit=500", "", root).get("records");
    return StreamSupport.stream(found.spliterator(), false)
        .filter(one -> one.get("action").asText().matches("job\\..*|token\\.read"))
        .map(
            one ->
                one.get("user").asText()
                    + " "
                    + one.get("action").asText()
                    + " "
                    + one.get("target").asText())
        .toList();
  }

  private void readEverything(String token) {
    for (int i = 0; i < 3; i++) {
      server.request("GET", JOB + "/logs/main/0/stdout", "", token);
      server.request("GET", JOB + "/logs/main/0/stdout/lines", "", token);
      server.request("GET", JOB + "/outputs", "", token);
      server.request("GET", JOB + "/config", "", token);
      server.request("GET", "/api/v2/jobs/alice~hello/config", "", token);
      server.request("GET", "/api/v3/users/alice/tokens", "", token);
    }
  }

  @Test
  void read_byAdministrator_auditedOncePerKind() {
    readEverything(root);
    assertThat(records())
        .containsExactlyInAnyOrder(
            "rita job.read-log job:alice~hello",
            "rita job.read-output job:alice~hello",
            "rita job.read-config job:alice~hello",
            "rita token.read user:alice");
  }

  @Test
  void read_byOwner_leavesNoRecord() {
    readEverything(alice);
    server.request("GET", JOB + "/tasks/main/0/exec", "", alice);
    assertThat(records()).isEmpty();
  }

  @Test
  void exec_byAdministrator_auditedEachTime() {
    server.request("GET", JOB + "/tasks/main/0/exec", "", root);
    server.request("GET", JOB + "/tasks/main/0/exec", "", root);
    assertThat(records())
        .containsExactly("rita job.exec job:alice~hello", "rita job.exec job:alice~hello");
  }

  @Test
  void tag_ownJobs_leavesOneRecordForEachBatch() {
    String batch =
        "{\"action\": \"%s\", \"tag\": \"x\", \"jobs\": [\"hello\", \"second\", \"none\"]}";
    server.sendSuccessfully("POST", "/api/v3/jobs/batch", batch.formatted("tag"), alice);
    assertThat(records()).containsExactly("alice job.tag jobs");
    server.sendSuccessfully("POST", "/api/v3/jobs/batch", batch.formatted("untag"), alice);
    assertThat(records()).containsExactly("alice job.untag jobs", "alice job.tag jobs");
  }

  @Test
  void tag_ownJobRepeatedly_doesNotFillLog() {
    for (int i = 0; i < 20; i++) {
      server.sendSuccessfully("PUT", JOB + "/tags/x", "", alice);
      server.sendSuccessfully("DELETE", JOB + "/tags/x", "", alice);
    }
    assertThat(records())
        .containsExactly("alice job.untag job:alice~hello", "alice job.tag job:alice~hello");
    server.sendSuccessfully("PUT", JOB + "/tags/x", "", root);
    server.sendSuccessfully("DELETE", JOB + "/tags/x", "", root);
    server.sendSuccessfully("PUT", JOB + "/tags/x", "", root);
    assertThat(records()).hasSize(5);
  }
}
