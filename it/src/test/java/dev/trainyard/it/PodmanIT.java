package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.trainyard.engine.testkit.Requirement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs jobs with the Podman service that {@code it/docker/podman} starts. */
class PodmanIT {
  private static final Path SOCKET = Path.of("/run/trainyard-test-podman/podman.sock");
  private static final String IMAGE = "trainyard-test/busybox";

  /**
   * Address range that differs from that of the Docker engine tests, which may run at the same
   * time.
   */
  private static final String NETWORKS = "10.215.0.0/16";

  /**
   * Command that sends a request to the server. It keeps the connection open until the response has
   * arrived, because closing the connection early would lose the response.
   */
  private static final String ASK =
      """
      at=${TRAINYARD_URL#*//}
      own=/api/v3/jobs/${PAI_CONTAINER_ID%%.*}
      { printf 'GET %s HTTP/1.0\\r\\nAuthorization: Bearer %s\\r\\n\\r\\n' $own $TRAINYARD_TOKEN; sleep 600; } |
        nc ${at%:*} ${at#*:} >/tmp/answer &
      until grep HTTP/1 /tmp/answer; do sleep 0.1; done
      """;

  @TempDir Path directory;

  @BeforeAll
  static void requirePodman() throws Exception {
    Requirement.require(
        "podman", Files.isWritable(SOCKET), "it/docker/podman has not started Podman");
    Requirement.require(
        "podman",
        !podman("images", "-q", "docker.io/" + IMAGE).isEmpty(),
        IMAGE + " from it/docker/images is missing in Podman");
  }

  private static String podman(String... words) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(Trainyard.CHECKOUT.resolve("it/docker/podman").toString(), "client");
    builder.command().addAll(List.of(words));
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return out.strip();
  }

  private Trainyard start(String engine) throws Exception {
    return Trainyard.start(
        directory.resolve("data"),
        Map.of("DOCKER_HOST", "unix://" + SOCKET),
        "--engine",
        engine,
        "--docker-networks",
        NETWORKS,
        "--capacity",
        "cpu=4,memoryMB=8192");
  }

  private static ObjectNode job(String name, String command) throws Exception {
    ObjectNode job = (ObjectNode) Trainyard.JSON.readTree(Trainyard.job(name, command));
    return job.put("image", IMAGE);
  }

  private void assertNothingLeft() throws Exception {
    String number = Files.readString(directory.resolve("data/docker/id")).strip();
    String ours = "label=dev.trainyard.server=" + number;
    assertThat(podman("ps", "-aq", "--filter", ours)).isEmpty();
    assertThat(podman("network", "ls", "-q", "--filter", ours)).isEmpty();
    assertThat(Files.readString(Path.of("/proc/self/mountinfo")))
        .doesNotContain(directory.toString());
  }

  @Test
  void run_rolesReachEachOtherAndTheServer() throws Exception {
    try (Trainyard trainyard = start("auto")) {
      JsonNode status = Trainyard.JSON.readTree(trainyard.run("status", "--json").out());
      assertThat(status.findValue("engineReason").asText())
          .contains("Podman responds at " + SOCKET);
      ObjectNode job = job("two-roles", ASK + "echo hello | nc -l -p 8000");
      ObjectNode master = (ObjectNode) job.at("/taskRoles/0");
      ObjectNode worker = master.deepCopy().put("name", "worker");
      worker.put("command", "until nc master-0 8000 </dev/null | grep hello; do sleep 0.1; done");
      job.withArray("taskRoles").removeAll().add(master.put("name", "master")).add(worker);
      String id = trainyard.submit(job.toString()).get("id").asText();
      JsonNode over = trainyard.await(id, "SUCCEEDED", "FAILED");
      assertThat(over.get("state").asText()).as("%s", over).isEqualTo("SUCCEEDED");
      assertThat(log(trainyard, id, "master")).contains(" 200 OK");
      assertThat(log(trainyard, id, "worker")).isEqualTo("hello\n");
    }
    assertNothingLeft();
  }

  private static String log(Trainyard trainyard, String id, String role) throws Exception {
    String path = "/api/v3/jobs/" + id + "/logs/" + role + "/0/stdout";
    return trainyard.request("GET", path, "").body();
  }

  @Test
  void run_serverKilled_taskKeepsRunning() throws Exception {
    Trainyard trainyard = start("docker");
    try {
      String count = "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo line $i; done";
      String wait = "; until [ -e /userhome/go ]; do sleep 0.1; done; echo over";
      String id = trainyard.submit(job("long", count + wait).toString()).get("id").asText();
      String stopped =
          trainyard.submit(job("endless", "echo up; sleep 600").toString()).get("id").asText();
      trainyard.await(id, "RUNNING");
      trainyard.await(stopped, "RUNNING");
      trainyard.kill();
      assertThatThrownBy(() -> Trainyard.start(trainyard.data(), "--engine", "process"))
          .isInstanceOf(Trainyard.StartFailed.class)
          .hasMessageContaining("podman");
      try (Trainyard next = start("auto")) {
        assertThat(next.await(id, "RUNNING").get("attempt").asInt()).isEqualTo(1);
        Files.createFile(next.data().resolve("home/admin/go"));
        next.await(id, "SUCCEEDED");
        assertThat(next.log(id, "stdout").lines()).hasSize(3001).endsWith("line 3000", "over");
        assertThat(next.run("stop", "endless").exitCode()).isZero();
        next.await(stopped, "STOPPED");
      }
    } finally {
      trainyard.kill();
    }
    assertNothingLeft();
  }
}
