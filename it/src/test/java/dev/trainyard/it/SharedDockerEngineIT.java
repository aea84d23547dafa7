package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers share a Docker engine; the second server is restored from a backup of the first. */
class SharedDockerEngineIT extends NeedsDocker {
  private static final String WORK =
      "echo begun >>/userhome/ran; until [ -e /userhome/go ]; do sleep 0.1; done; echo over";

  @TempDir Path directory;

  private static Trainyard start(Path data) throws Exception {
    return Trainyard.start(data, "--engine", "docker", "--capacity", "cpu=4,memoryMB=8192");
  }

  private static String submit(Trainyard trainyard, String name, String command) throws Exception {
    String file = Trainyard.job(name, command).replace("ubuntu:16.04", "trainyard-test/busybox");
    return trainyard.submit(file).get("id").asText();
  }

  @Test
  void restoredServer_runsItsTasksAndIgnoresOtherContainers() throws Exception {
    Path data = directory.resolve("data");
    Trainyard first = start(data);
    try {
      String id = submit(first, "long", WORK);
      first.await(id, "RUNNING");
      String container = container(id);
      restoreAndRun(first, id);
      assertThat(isRunning(container)).isTrue();
      assertThat(docker("network", "ls", "--filter", "label=dev.trainyard.server=" + number(data)))
          .contains("trainyard-");

      String node = first.run("nodes", "--json").json().findValue("name").asText();
      assertThat(first.run("nodes", "cordon", node, "--reason", "fan").exitCode()).isZero();
      first.kill();
      assertThatThrownBy(() -> Trainyard.start(data, "--engine", "process"))
          .isInstanceOf(Trainyard.StartFailed.class)
          .hasMessageContaining("docker");
      first = start(data);
      assertThat(first.await(id, "RUNNING").get("attempt").asInt()).isEqualTo(1);
      String waiting = submit(first, "waiting", "true");
      Files.createFile(data.resolve("home/admin/go"));
      first.await(id, "SUCCEEDED");
      assertThat(first.await(waiting, "WAITING").toString()).contains("cordoned");
      assertThat(first.run("nodes", "uncordon", node).exitCode()).isZero();
      first.await(waiting, "SUCCEEDED");
      assertThat(data.resolve("home/admin/ran")).hasContent("begun");
    } finally {
      first.close();
    }
    assertThat(docker("ps", "-aq", "--filter", "label=dev.trainyard.server=" + number(data)))
        .isEmpty();
  }

  private void restoreAndRun(Trainyard first, String id) throws Exception {
    Path backup = directory.resolve("backup.tar.gz");
    Path elsewhere = directory.resolve("elsewhere");
    assertThat(first.run("backup", backup.toString(), "--with-homes").exitCode()).isZero();
    Trainyard.Result restored =
        Trainyard.command(
            Map.of("TRAINYARD_DATA", elsewhere.toString()), "", "restore", backup.toString());
    assertThat(restored.exitCode()).as("%s", restored).isZero();
    try (Trainyard second = start(elsewhere)) {
      assertThat(number(elsewhere)).isNotEqualTo(number(first.data()));
      second.await(submit(second, "own", "echo second"), "SUCCEEDED");
      Files.createFile(elsewhere.resolve("home/admin/go"));
      // The second server runs the task again because the running container belongs to the first
      // server.
      JsonNode over = second.await(id, "SUCCEEDED", "FAILED");
      assertThat(over.get("attempt").asInt()).as("%s", over).isEqualTo(2);
    }
  }

  private static String number(Path data) throws Exception {
    return Files.readString(data.resolve("docker/id")).strip();
  }

  private static boolean isRunning(String container) throws Exception {
    return docker("inspect", "-f", "{{.State.Running}}", container).equals("true");
  }
}
