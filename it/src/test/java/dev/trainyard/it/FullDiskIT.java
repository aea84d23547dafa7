package dev.trainyard.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs a task that fills the disk of the data directory and keeps it full. */
class FullDiskIT extends NeedsSandbox {
  private static final String PASSWORD = "a-good-password";
  private static final long RESERVE = 16L << 20;

  @TempDir Path directory;

  @Test
  void diskFilledByTask_administratorSignsInAndStopsIt() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));
    try (var _ = SmallDisk.mount(data, "96m");
        Trainyard yard =
            Trainyard.start(
                data, Map.of("TRAINYARD_ADMIN_PASSWORD", PASSWORD), "--engine", "process")) {
      awaitReserve(data);
      String fill = "while :; do cat /dev/zero >> /userhome/big; sleep 0.01; done";
      String job = yard.submit(Trainyard.job("fill", fill)).get("id").asText();
      yard.await(job, "RUNNING");
      await(() -> Files.getFileStore(data).getUsableSpace() == 0);
      String credentials = "{\"user\": \"admin\", \"password\": \"" + PASSWORD + "\"}";
      for (int i = 0; i < 20; i++) {
        var session = yard.request("POST", "/api/v3/sessions", credentials, "");
        assertThat(session.statusCode()).as(session.body()).isEqualTo(201);
        String token = Trainyard.JSON.readTree(session.body()).get("token").asText();
        assertThat(yard.request("GET", "/api/v3/jobs/" + job, "", token).statusCode())
            .isEqualTo(200);
      }
      var stop = yard.request("POST", "/api/v3/jobs/" + job + "/stop?graceSeconds=1", "");
      assertThat(stop.statusCode()).as(stop.body()).isEqualTo(202);
      yard.await(job, "STOPPED");
      assertThat(Files.getFileStore(data).getUsableSpace()).isZero();
    }
  }

  @Test
  void serverKilledOnFullDisk_startsAgainAndStopsTheTask() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));
    try (var _ = SmallDisk.mount(data, "96m")) {
      String fill = "while :; do cat /dev/zero >> /userhome/big; sleep 0.001; done";
      killAndStop(data, fill, () -> Files.getFileStore(data).getUsableSpace() == 0);
    }
  }

  @Test
  void serverKilledWithoutInodes_startsAgainAndStopsTheTask() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));
    try (var _ = SmallDisk.mountWithInodes(data, 2000)) {
      String fill =
          "i=0; while :; do i=$((i+1)); : > /userhome/$i || sleep 0.001; done 2>/dev/null";
      killAndStop(data, fill, () -> freeInodes(data) == 0);
    }
  }

  private static void killAndStop(Path data, String fill, Condition full) throws Exception {
    String job;
    try (Trainyard yard = Trainyard.start(data, "--engine", "process")) {
      awaitReserve(data);
      job = yard.submit(Trainyard.job("fill", fill)).get("id").asText();
      yard.await(job, "RUNNING");
      await(full);
      yard.kill();
    }
    try (Trainyard yard = Trainyard.start(data, "--engine", "process")) {
      assertThat(full.holds()).isTrue();
      var stop = yard.request("POST", "/api/v3/jobs/" + job + "/stop?graceSeconds=1", "");
      assertThat(stop.statusCode()).as(stop.body()).isEqualTo(202);
      yard.await(job, "STOPPED");
    }
  }

  private static long freeInodes(Path data) throws Exception {
    Process process =
        new ProcessBuilder("stat", "--file-system", "--format=%d", data.toString()).start();
    return Long.parseLong(new String(process.getInputStream().readAllBytes(), UTF_8).strip());
  }

  /**
   * Waits until the server has allocated more disk space for its database files than their length.
   */
  private static void awaitReserve(Path data) throws Exception {
    long files = Files.size(data.resolve("trainyard.db"));
    await(
        () -> {
          var store = Files.getFileStore(data);
          return store.getTotalSpace() - store.getUsableSpace() > files + RESERVE;
        });
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as("waited 90 s").isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}
