package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * With killed processes, a full disk or a locked database, every job finishes with the right
 * result, and no process or file of its tasks remains.
 */
class ChaosIT extends NeedsSandbox {
  private static final String TEN_AT_A_TIME = "cpu=10,memoryMB=20480";

  @TempDir Path directory;
  private final ShortJobs shortJobs = new ShortJobs(System.nanoTime());
  private Database.Running database;

  /**
   * Returns the databases for tests that do not depend on the database: SQLite, or both databases
   * with {@code -Dtrainyard.chaos.databases=all}.
   */
  static List<Database> databases() {
    boolean all = "all".equals(System.getProperty("trainyard.chaos.databases"));
    return all ? List.of(Database.values()) : List.of(Database.SQLITE);
  }

  private Path data() {
    return directory.resolve("data");
  }

  private Path home() {
    return data().resolve("home/admin");
  }

  private String[] options() {
    List<String> options = new ArrayList<>(database.options());
    options.addAll(List.of("--capacity", TEN_AT_A_TIME));
    return options.toArray(String[]::new);
  }

  private Trainyard start() throws Exception {
    return Trainyard.start(data(), options());
  }

  @AfterEach
  void closeDatabase() throws IOException {
    if (database != null) {
      database.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("long")
  void supervisorsKilled_jobsAreRetriedUncounted(Database kind) throws Exception {
    killTasks(
        kind, supervisor -> ProcessHandle.of(supervisor).ifPresent(ProcessHandle::destroyForcibly));
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("databases")
  void firstProcessesKilled_jobsAreRetriedUncounted(Database kind) throws Exception {
    killTasks(
        kind,
        supervisor ->
            Supervision.firstProcesses(supervisor).forEach(ProcessHandle::destroyForcibly));
  }

  private void awaitSupervisors(IntPredicate wanted) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(4);
    int seen = Supervision.supervisors(data()).size();
    while (!wanted.test(seen)) {
      assertThat(System.nanoTime()).as("%d supervisors", seen).isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(10);
      seen = Supervision.supervisors(data()).size();
    }
  }

  private interface Kill {
    void hit(long supervisor);
  }

  private void killTasks(Database kind, Kill kill) throws Exception {
    database = kind.open(data());
    try (Trainyard yard = start()) {
      shortJobs.submit(yard, 40);
      awaitSupervisors(some -> some > 0);
      for (int round = 0; round < 10; round++) {
        shortJobs.sleepRandomly(400);
        shortJobs.randomElement(Supervision.supervisors(data())).forEach(kill::hit);
      }
      Map<Integer, JsonNode> ended = shortJobs.awaitEnds(yard);
      shortJobs.checkResults(yard, ended);
      assertThat(ended.values().stream().mapToInt(job -> job.get("attempt").asInt()).sum())
          .as("attempts")
          .isGreaterThan(ended.size());
      assertThat(shortJobs.lines(home())).hasSize(ended.size());
      ShortJobs.checkNothingLeft(data());
    }
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("databases")
  void hostRestarted_jobsAreRetriedUncounted(Database kind) throws Exception {
    database = kind.open(data());
    Trainyard yard = start();
    shortJobs.submit(yard, 30);
    awaitSupervisors(some -> some > 0);
    yard.kill();
    Supervision.killSupervisors(data());
    Supervision.pretendReboot(data());
    try (Trainyard second = start()) {
      Map<Integer, JsonNode> ended = shortJobs.awaitEnds(second);
      shortJobs.checkResults(second, ended);
      assertThat(ended.values()).anyMatch(job -> job.get("attempt").asInt() > 1);
      ShortJobs.checkNothingLeft(data());
    }
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void databaseLocked_everyJobFinishesOnce(Database kind) throws Exception {
    database = kind.open(data());
    try (Trainyard yard = start()) {
      shortJobs.submit(yard, 40);
      shortJobs.sleepRandomly(500);
      try (var _ = database.lock()) {
        TimeUnit.SECONDS.sleep(30);
      }
      shortJobs.checkResults(yard, shortJobs.awaitEnds(yard));
      shortJobs.checkOnce(home());
      ShortJobs.checkNothingLeft(data());
    }
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("databases")
  void diskFullAndFreed_everyJobFinishesOnce(Database kind) throws Exception {
    Files.createDirectory(data());
    try (var _ = SmallDisk.mount(data(), "96m")) {
      database = kind.open(data());
      try (Trainyard yard = start()) {
        String quiet = submitGated(yard, "quiet", "exit 4");
        String loud = submitGated(yard, "loud", "head -c 50000000 /dev/zero > /userhome/big");
        List<Path> gates = List.of(home().resolve("gate-quiet"), home().resolve("gate-loud"));
        awaitFiles(gates); // both scripts run
        SmallDisk.fill(data().resolve("filler"));
        for (Path gate : gates) {
          Files.delete(gate);
        }
        assertThat(yard.request("GET", "/livez", "", "").statusCode()).isEqualTo(200);
        awaitSupervisors(none -> none == 0); // both have recorded their exit
        Files.delete(data().resolve("filler"));
        assertThat(yard.await(quiet, "FAILED").get("exitCode").asInt()).isEqualTo(4);
        assertThat(yard.await(loud, "FAILED").get("reason").asText()).contains("disk");
        shortJobs.submit(yard, 20);
        shortJobs.checkResults(yard, shortJobs.awaitEnds(yard));
        shortJobs.checkOnce(home());
        ShortJobs.checkNothingLeft(data());
      }
    }
  }

  private static void awaitFiles(List<Path> files) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(4);
    while (!files.stream().allMatch(Files::exists)) {
      assertThat(System.nanoTime()).as("waiting for %s", files).isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  /**
   * Submits a job that creates a file gate-NAME and runs a command after the test has deleted this
   * file.
   */
  private static String submitGated(Trainyard yard, String name, String command) throws Exception {
    String gate = "/userhome/gate-" + name;
    String script = "touch " + gate + "; while [ -e " + gate + " ]; do sleep 0.1; done; ";
    return yard.submit(Trainyard.job(name, script + command)).get("id").asText();
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("databases")
  void fiveHundredTasks_startAndFinish(Database kind) throws Exception {
    database = kind.open(data());
    List<String> options = new ArrayList<>(database.options());
    options.addAll(List.of("--capacity", "cpu=500,memoryMB=102400"));
    try (Trainyard yard = Trainyard.start(data(), options.toArray(String[]::new))) {
      Map<String, Long> before = new HashMap<>();
      for (int round = 0; round < 2; round++) {
        // The first round creates resources that the server keeps for later jobs.
        Path gate = home().resolve("gate-" + round);
        String command = "until [ -e /userhome/gate-" + round + " ]; do sleep 2; done";
        String id = yard.submit(manyTasks("many-" + round, command, 500)).get("id").asText();
        awaitSupervisors(all -> all == 500);
        Files.createFile(gate);
        yard.await(id, "SUCCEEDED");
        ShortJobs.checkNothingLeft(data());
        if (round == 0) {
          before.put("descriptors", countDescriptors(yard));
          before.put("threads", countThreads(yard));
        }
      }
      // Descriptors of finished tasks are closed soon after the end of their job, and a thread that
      // was started during a blocking call ends after it has been idle for some time.
      awaitBelow(() -> countDescriptors(yard), before.get("descriptors") + 50);
      awaitBelow(() -> countThreads(yard), before.get("threads") + 50);
      assertThat(residentMegabytes(yard)).isLessThan(500);
    }
  }

  private interface Count {
    long get() throws IOException;
  }

  private static void awaitBelow(Count count, long limit) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (count.get() >= limit && System.nanoTime() < deadline) {
      Thread.sleep(100);
    }
    assertThat(count.get()).isLessThan(limit);
  }

  private static String manyTasks(String name, String command, int tasks) {
    return """
    {"jobName": "%s", "image": "x", "taskRoles":
      [{"name": "main", "taskNumber": %d, "memoryMB": 100, "command": "%s"}]}
    """
        .formatted(name, tasks, command);
  }

  private static long countDescriptors(Trainyard yard) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc", "" + yard.process().pid(), "fd"))) {
      return all.count();
    }
  }

  private static long countThreads(Trainyard yard) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc", "" + yard.process().pid(), "task"))) {
      return all.count();
    }
  }

  private static long residentMegabytes(Trainyard yard) throws IOException {
    String line =
        Files.readAllLines(Path.of("/proc", "" + yard.process().pid(), "status")).stream()
            .filter(each -> each.startsWith("VmRSS:"))
            .findFirst()
            .orElseThrow();
    return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024;
  }
}
