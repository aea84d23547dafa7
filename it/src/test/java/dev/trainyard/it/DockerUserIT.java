package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs a server as an ordinary user in the group {@code docker}, even if root runs the tests. */
class DockerUserIT extends NeedsDocker {
  private static final long DEADLINE = TimeUnit.SECONDS.toNanos(60);

  @TempDir Path directory;
  private Account account;
  private Path data;
  private Trainyard trainyard;

  @BeforeEach
  void createAccount() throws Exception {
    account = Account.inDockerGroup(directory);
    data = directory.resolve("data");
  }

  @AfterEach
  void removeLeftovers() throws Exception {
    removeLeftovers(data);
  }

  private void start() throws Exception {
    trainyard =
        Trainyard.start(
            account, data, Map.of(), "--engine", "docker", "--capacity", "cpu=8,memoryMB=16384");
  }

  @Test
  void homes_ownedByTheAccount_deletable() throws Exception {
    start();
    try {
      // Creates directories that the server cannot read, because a task can change the owner and
      // the mode of its files.
      String createClosedDirectories =
          "mkdir -p $d/closed/deep; echo x >$d/closed/deep/file; chmod 700 $d/closed;";
      String first =
          runToEnd(
              "first",
              "echo kept >/userhome/kept; for d in /userhome /out; do "
                  + createClosedDirectories
                  + " chown -R 7:8 $d/closed; done; stat -c %u /userhome/kept /userhome/closed");
      assertThat(trainyard.log(first, "stdout")).isEqualTo("0\n7\n");
      Path home = data.resolve("home/admin");
      assertThat(Files.getAttribute(home.resolve("kept"), "unix:uid"))
          .isEqualTo(Files.getAttribute(data, "unix:uid"))
          .isNotEqualTo(0);
      assertThat((Integer) Files.getAttribute(home.resolve("closed"), "unix:uid"))
          .isGreaterThan(0x70000000);
      // Simulates a restart of the engine, which also stops the root helper.
      for (String container : rootHelpers()) {
        docker("rm", "-f", container);
      }
      String second = runToEnd("second", "cat /userhome/kept /userhome/closed/deep/file");
      assertThat(trainyard.log(second, "stdout")).isEqualTo("kept\nx\n");

      Path archive = directory.resolve("backup.tar.gz");
      var backup = trainyard.run("backup", archive.toString(), "--with-homes", "--json");
      assertThat(backup.json().path("skipped").asInt(-1)).as("%s", backup).isZero();

      String third =
          runToEnd(
              "third",
              "echo z; echo y >/out/closed; chown 7:8 /out/closed; chmod 0 /out/closed;"
                  + " cd /usr/local/pai/.trainyard; chown 0:0 stdout; chmod 0 stdout");
      assertThat(trainyard.log(third, "stdout")).isEqualTo("z\n");
      String closed = "/api/v3/jobs/" + third + "/outputs/file?path=closed";
      assertThat(trainyard.request("GET", closed, "").body()).isEqualTo("y\n");

      Path saved = data.resolve("jobs").resolve(first);
      assertThat(saved.resolve("output/closed")).exists();
      var response = trainyard.request("DELETE", "/api/v3/jobs/" + first, "");
      assertThat(response.statusCode()).as(response.body()).isEqualTo(204);
      assertThat(saved).doesNotExist();
    } finally {
      trainyard.close();
    }
    assertThat(rootHelpers()).isEmpty();
    assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).doesNotContain(data.toString());
  }

  @Test
  void serverKilled_tasksAdoptedAndRootHelperEnded() throws Exception {
    start();
    String id;
    List<String> before;
    try {
      id =
          submit(
              "long", "echo begun >>/userhome/ran; until [ -e /userhome/go ]; do sleep 0.1; done");
      trainyard.await(id, "RUNNING");
      awaitFile(data.resolve("home/admin/ran"));
      before = rootHelpers();
      assertThat(before).hasSize(1);
    } finally {
      trainyard.kill();
    }
    start();
    try {
      assertThat(rootHelpers()).hasSize(1).doesNotContainAnyElementsOf(before);
      runToEnd("go", "touch /userhome/go");
      JsonNode over = trainyard.await(id, "SUCCEEDED", "FAILED");
      assertThat(over.get("state").asText()).as("%s", over).isEqualTo("SUCCEEDED");
      assertThat(over.get("attempt").asInt()).isEqualTo(1);
      assertThat(data.resolve("home/admin/ran")).hasContent("begun\n");
    } finally {
      trainyard.close();
    }
    assertThat(rootHelpers()).isEmpty();
  }

  private static void awaitFile(Path file) throws InterruptedException {
    long end = System.nanoTime() + DEADLINE;
    while (!Files.exists(file)) {
      assertThat(System.nanoTime()).as("%s", file).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** Returns the root helper containers of this test's server. */
  private List<String> rootHelpers() throws Exception {
    String server = Files.readString(data.resolve("docker/id")).strip();
    return docker(
            "ps",
            "-aq",
            "--filter",
            "label=dev.trainyard.keeper",
            "--filter",
            "label=dev.trainyard.server=" + server)
        .lines()
        .toList();
  }

  private String submit(String name, String command) throws Exception {
    ObjectNode file = (ObjectNode) Trainyard.JSON.readTree(Trainyard.job(name, command));
    file.put("image", "trainyard-test/busybox").put("outputDir", "/out");
    return trainyard.submit(file.toString()).get("id").asText();
  }

  private String runToEnd(String name, String command) throws Exception {
    String id = submit(name, command);
    JsonNode job = trainyard.await(id, "SUCCEEDED", "FAILED");
    assertThat(job.get("state").asText())
        .as("%s%n%s", job, trainyard.log(id, "stderr"))
        .isEqualTo("SUCCEEDED");
    return id;
  }
}
