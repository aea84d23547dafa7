package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Runs a server as an ordinary user on a host without user namespaces. */
// Does not run concurrently with containers, because their mounts appear and disappear; see
// docs/operations.md.
@ResourceLock("docker")
class NoSandboxIT extends NeedsSandbox {
  @TempDir Path directory;
  private Account account;
  private Path data;

  @BeforeEach
  void disableNamespaces() throws Exception {
    account = Account.ordinary(directory).withoutNamespaces();
    data = directory.resolve("data");
  }

  private static String tokenOf(Trainyard trainyard, String user) throws Exception {
    String credentials = "{\"user\":\"%s\",\"password\":\"correct horse\"}".formatted(user);
    String made = "{\"name\":\"%s\",\"password\":\"correct horse\"}".formatted(user);
    assertThat(trainyard.request("POST", "/api/v3/users", made).statusCode()).isEqualTo(201);
    var session = trainyard.request("POST", "/api/v3/sessions", credentials, "");
    return Trainyard.JSON.readTree(session.body()).get("token").asText();
  }

  @Test
  void submit_byAnAdministrator_runsAsAPlainProcess() throws Exception {
    try (Trainyard trainyard = Trainyard.start(account, data, Map.of())) {
      assertThat(Files.readString(directory.resolve("data.err")))
          .contains("user.max_user_namespaces");
      String command = "echo hello; pwd; (setsid sleep 300 &); exit 4";
      String id = trainyard.submit(Trainyard.job("own", command)).get("id").asText();
      JsonNode job = trainyard.await(id, "FAILED", "SUCCEEDED");
      assertThat(job.get("exitCode").asInt()).as(job.toString()).isEqualTo(4);
      assertThat(trainyard.log(id, "stdout"))
          .isEqualTo("hello\n" + data.toRealPath().resolve("home/admin") + "\n");
      assertThat(job.get("isolation").get("files").asText()).isEqualTo("NONE");
      assertThat(job.get("notices").toString()).contains("notice.plain-process");
      assertThat(trainyard.run("nodes").out())
          .contains("files shared with the host", "processes shared with the host");
      assertThat(trainyard.run("status").out())
          .contains("warning: tasks see the files of the host", "user.max_user_namespaces=");
    }
  }

  @Test
  void submit_byOtherUser_isRejectedWithTheRemedy() throws Exception {
    try (Trainyard trainyard = Trainyard.start(account, data, Map.of())) {
      String token = tokenOf(trainyard, "bob");
      var response =
          trainyard.request("POST", "/api/v3/jobs", Trainyard.job("x", "echo ran"), token);
      assertThat(response.statusCode()).isEqualTo(403);
      JsonNode error = Trainyard.JSON.readTree(response.body());
      assertThat(error.get("message").asText())
          .contains("sysctl -w user.max_user_namespaces=", "--unsafe-plain-processes");
    }
  }

  @Test
  void submit_byOtherUser_allowedBySetting_runs() throws Exception {
    try (Trainyard trainyard =
        Trainyard.start(account, data, Map.of(), "--unsafe-plain-processes")) {
      String token = tokenOf(trainyard, "bob");
      var response =
          trainyard.request("POST", "/api/v3/jobs", Trainyard.job("x", "echo ran"), token);
      assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
      String id = Trainyard.JSON.readTree(response.body()).get("id").asText();
      trainyard.await(id, "SUCCEEDED");
      assertThat(trainyard.log(id, "stdout")).isEqualTo("ran\n");
    }
  }

  /** A job that was accepted while sandboxes were available must not run without one. */
  @Test
  void waitingJobOfOtherUser_failsWithoutRunning() throws Exception {
    String id;
    Account sandboxed = Account.ordinary(directory);
    try (Trainyard trainyard =
        Trainyard.start(sandboxed, data, Map.of(), "--capacity", "cpu=1,memoryMB=600")) {
      trainyard.submit(Trainyard.job("blocker", "sleep 300"));
      String token = tokenOf(trainyard, "bob");
      var response =
          trainyard.request("POST", "/api/v3/jobs", Trainyard.job("x", "echo ran"), token);
      id = Trainyard.JSON.readTree(response.body()).get("id").asText();
    }
    try (Trainyard trainyard = Trainyard.start(account, data, Map.of())) {
      JsonNode job = trainyard.await(id, "FAILED", "SUCCEEDED");
      assertThat(job.get("state").asText()).isEqualTo("FAILED");
      assertThat(job.get("reason").asText()).contains("max_user_namespaces");
      assertThat(trainyard.log(id, "stdout")).isEmpty();
    } finally {
      try (Trainyard trainyard = Trainyard.start(sandboxed, data, Map.of())) {
        trainyard.run("stop", "blocker");
      }
    }
  }
}
