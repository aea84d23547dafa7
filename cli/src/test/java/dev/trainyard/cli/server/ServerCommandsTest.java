package dev.trainyard.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.FakeServer;
import dev.trainyard.cli.TestShell;
import dev.trainyard.model.ProcessStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerCommandsTest {
  @TempDir private Path home;
  private FakeServer server;
  private TestShell shell;
  private Path data;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer();
    data = Files.createDirectory(home.resolve(".trainyard"));
    shell = new TestShell(home);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void writeServerJson(long pid) throws IOException {
    Files.writeString(
        data.resolve("server.json"), "{\"url\":\"" + server.address() + "\",\"pid\":" + pid + "}");
  }

  @Test
  void nodes_printsUsageAsBars() throws IOException {
    writeServerJson(0);
    server.on(
        "GET",
        "/api/v3/nodes",
        200,
        """
        {"engine":"process","nodes":[{"name":"box","cpus":8,"memoryMB":65536,"freeCpus":6,"freeMemoryMB":32768,
         "devices":[{"vendor":"NVIDIA","kind":"GPU","index":0,"model":"a100","memoryMB":40960,"job":"alice~train"},
                    {"vendor":"NVIDIA","kind":"GPU","index":1,"model":"a100","memoryMB":40960,"job":null}],
         "jobs":[{"name":"train","user":"alice","virtualCluster":"vision","tasks":1,"cpus":2,"memoryMB":32768,
                  "devices":[0],"usedCpus":0.2},
                 {"name":"runaway","user":"bob","virtualCluster":"default","tasks":1,"cpus":1,"memoryMB":512,
                  "devices":[],"usedCpus":15.8}],
         "isolation":{"files":"PRIVATE","processes":"PRIVATE","network":"NONE","limits":"PRIVATE",
         "systemCalls":"PRIVATE"}}]}
        """);
    assertThat(shell.run("nodes")).isZero();
    assertThat(shell.out())
        .contains("box  process engine", "█████░░░░░░░░░░░░░░░ 2 of 8 in use")
        .contains("32 GiB of 64 GiB", "GPU a100", "■ □", "1 of 2")
        .containsSubsequence("bob~runaway", "default", "15.8", "alice~train", "vision", "0.2")
        .contains("network shared with the host")
        .contains("system calls filtered");
  }

  @Test
  void status_warnings_areLastAndLocalized() throws IOException {
    writeServerJson(0);
    server.on(
        "GET",
        "/api/v3/status",
        200,
        """
        {"version":"1.0","started":0,"pid":7,"data":"/d","database":{"kind":"sqlite","schema":4},
         "engine":"process","engineReasons":[{"code":"config.engine-wanted","message":"x","params":{}}],
         "jobs":{"WAITING":3,"RUNNING":0},
         "disks":[{"path":"/d","total":107374182400,"free":4294967296,"level":"LOW"}],
         "warnings":[{"code":"notice.disk-low","message":"x","params":{"path":"/d","freeMB":4096,"percent":4}},
                     {"code":"notice.of-tomorrow","message":"said by a newer server","params":{}}]}
        """);
    assertThat(shell.run("status")).isZero();
    assertThat(shell.out())
        .contains("process (selected by the setting \"engine\")")
        .contains("sqlite, schema version 4", "waiting 3", "/d: 4 GiB of 100 GiB free, low")
        .doesNotContain("running 0")
        .contains("warning: the disk of /d is nearly full: 4 GiB (4 %) are free")
        .endsWith("warning: said by a newer server\n");
    assertThat(shell.run("--lang", "zh", "status")).isZero();
    assertThat(shell.out()).contains("警告：/d 所在磁盘空间不足");
  }

  /** Nobody can sign in then, so the public health check is shown instead. */
  @Test
  void status_databaseUnavailable_isNamedAndJobsAreUnknown() throws IOException {
    writeServerJson(0);
    server.reject("GET", "/api/v3/status", 503, "UNAVAILABLE", "the database does not respond");
    server.on(
        "GET",
        "/healthz",
        503,
        "{\"status\":\"failing\",\"failing\":\"database\",\"degraded\":\"engine\"}");
    assertThat(shell.run("status")).isEqualTo(ExitCode.FAILED);
    assertThat(shell.out())
        .containsPattern("jobs +unknown")
        .contains("warning: not available: database\n", "warning: not available: engine\n")
        .doesNotContain("no waiting or running jobs");
    assertThat(shell.run("status", "--json")).isEqualTo(ExitCode.FAILED);
    assertThat(shell.out()).contains("\"failing\"", "database");
  }

  @Test
  void status_partsThatCannotBeDetermined_areUnknown() throws IOException {
    writeServerJson(0);
    server.on(
        "GET",
        "/api/v3/status",
        200,
        """
        {"version":"1.0","started":0,"pid":7,"data":"/d","database":null,"engine":null,"jobs":null,"disks":[],
         "warnings":[{"code":"notice.status-part","message":"x","params":{"part":"jobs","detail":"no response"}},
                     {"code":"notice.health","message":"x","params":{"part":"engine","detail":"no socket"}}]}
        """);
    assertThat(shell.run("status")).isZero();
    assertThat(shell.out())
        .containsPattern("database +unknown")
        .containsPattern("engine +unknown")
        .containsPattern("jobs +unknown")
        .contains("warning: failed to get the jobs: no response")
        .contains("warning: engine not available: no socket")
        .doesNotContain("no waiting or running jobs");
  }

  @Test
  void cleanup_dryRun_deletesNothing() throws IOException {
    writeServerJson(0);
    server.on("GET", "/api/v3/cleanup", 200, "{\"jobs\":1,\"logs\":2,\"bytes\":3145728}");
    server.on("POST", "/api/v3/cleanup", 200, "{\"jobs\":1,\"logs\":2,\"bytes\":3145728}");
    assertThat(shell.run("cleanup", "--dry-run")).isZero();
    assertThat(shell.out()).isEqualTo("Would delete 1 job and the logs of 2 jobs (3 MiB).\n");
    assertThat(server.requestLines()).doesNotContain("POST /api/v3/cleanup");
    assertThat(shell.run("cleanup")).isZero();
    assertThat(shell.out()).isEqualTo("Deleted 1 job and the logs of 2 jobs (3 MiB).\n");
  }

  @Test
  void secrets_rotate_printsResult() throws IOException {
    writeServerJson(0);
    server.on(
        "POST",
        "/api/v3/secrets/rotate",
        200,
        "{\"key\":\"ab12\",\"resealed\":3,\"unreadable\":1,\"droppedKeys\":2}");
    assertThat(shell.run("secrets", "rotate")).isZero();
    assertThat(shell.out())
        .contains("ab12")
        .contains("Re-encrypted secrets: 3.")
        .contains("Deleted old keys: 2.");
    assertThat(shell.err()).contains("for 1 secret is missing; this secret was left unchanged");
    assertThat(shell.run("secrets", "rotate", "--json")).isZero();
    assertThat(shell.out()).contains("\"droppedKeys\"");
    assertThat(shell.run("secrets")).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void version_serverOption_printsServerVersion() {
    server.on("GET", "/api/v3/version", 200, "{\"version\":\"9.9\",\"api\":\"v3\"}");
    assertThat(shell.run("version", "--server", server.address().toString())).isZero();
    assertThat(shell.out()).isEqualTo("trainyard 1.2.3\nserver 9.9\n");
  }

  @Test
  void down_noServer_fails() throws IOException {
    assertThat(shell.run("down")).isEqualTo(ExitCode.FAILED);
    assertThat(shell.err()).contains("No server is running with the data directory " + data);
    writeServerJson(ProcessHandle.current().pid() + 1_000_000_000L);
    assertThat(shell.run("down")).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void down_pidOfOtherProcess_isNotKilled() throws IOException, InterruptedException {
    Process otherProcess = new ProcessBuilder("sleep", "600").start();
    try {
      writeServerJson(otherProcess.pid());
      assertThat(shell.run("down")).isEqualTo(ExitCode.FAILED);
      assertThat(otherProcess.isAlive()).isTrue();
    } finally {
      otherProcess.destroyForcibly().waitFor();
    }
  }

  @Test
  void down_pidOfAnotherServer_isNotKilled() throws IOException, InterruptedException {
    Process other = new ProcessBuilder("sh", "-c", "sleep 600; : trainyard").start();
    try {
      String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
      String stat = Files.readString(Path.of("/proc/" + other.pid() + "/stat"));
      String start = ProcessStart.of(stat, boot).orElseThrow();
      for (String former : List.of("1 " + boot, start.replace(boot, "another-boot"))) {
        describe(other.pid(), former);
        assertThat(shell.run("down")).isEqualTo(ExitCode.FAILED);
        assertThat(shell.err()).contains("No server is running with the data directory " + data);
        assertThat(other.isAlive()).isTrue();
      }
      describe(other.pid(), start);
      assertThat(shell.run("down")).isZero();
      assertThat(other.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      other.destroyForcibly().waitFor();
    }
  }

  /** A copy contains the server.json of the original directory, whose server is running. */
  @Test
  void down_copyOfTheDataDirectory_originalServerKeepsRunning() throws Exception {
    Process original = new ProcessBuilder("sh", "-c", "sleep 600; : trainyard").start();
    try {
      String ownId =
          Files.getAttribute(data, "unix:dev") + ":" + Files.getAttribute(data, "unix:ino");
      writeServerJson(original.pid(), "1:2");
      assertThat(shell.run("down")).isEqualTo(ExitCode.FAILED);
      assertThat(shell.err()).contains("No server is running with the data directory " + data);
      assertThat(original.isAlive()).isTrue();
      writeServerJson(original.pid(), ownId);
      assertThat(shell.run("down")).isZero();
      assertThat(original.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      original.destroyForcibly().waitFor();
    }
  }

  private void writeServerJson(long pid, String directory) throws IOException {
    Files.writeString(
        data.resolve("server.json"),
        "{\"url\":\"%s\",\"pid\":%d,\"directory\":\"%s\"}"
            .formatted(server.address(), pid, directory));
  }

  private void describe(long pid, String processStart) throws IOException {
    Files.writeString(
        data.resolve("server.json"),
        "{\"url\":\"%s\",\"pid\":%d,\"processStart\":\"%s\"}"
            .formatted(server.address(), pid, processStart));
  }

  @Test
  void down_runningServer_stopsJobsThenServer() throws IOException, InterruptedException {
    // A process with a command line like that of a server.
    Process process = new ProcessBuilder("sh", "-c", "sleep 600; : trainyard").start();
    AtomicBoolean stopped = new AtomicBoolean();
    server.on(
        "GET",
        "/api/v3/jobs",
        exchange ->
            FakeServer.reply(
                exchange,
                200,
                stopped.get()
                    ? "{\"jobs\":[]}"
                    : "{\"jobs\":[{\"id\":\"01J\",\"state\":\"RUNNING\"}]}"));
    server.on(
        "POST",
        "/api/v3/jobs/batch",
        exchange -> {
          stopped.set(true);
          FakeServer.reply(exchange, 200, "{\"results\":[{\"job\":\"01J\",\"ok\":true}]}");
        });
    try {
      writeServerJson(process.pid());
      assertThat(shell.run("down", "--stop-jobs")).isEqualTo(ExitCode.OK);
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(stopped).isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void down_stopJobs_manyJobs_stopsBatchesWithRunningJobsFirst() throws Exception {
    Map<String, String> unfinished = new ConcurrentSkipListMap<>();
    IntStream.range(0, 1_200).forEach(i -> unfinished.put("j" + (10_000 + i), "WAITING"));
    IntStream.range(0, 3).forEach(i -> unfinished.put("j" + (20_000 + i), "RUNNING"));
    server.on(
        "GET",
        "/api/v3/jobs",
        exchange -> {
          String states = exchange.getRequestURI().getQuery().replaceFirst(".*state=", "");
          String found =
              unfinished.entrySet().stream()
                  .filter(job -> states.contains(job.getValue()))
                  .limit(500)
                  .map(job -> "{\"id\":\"" + job.getKey() + "\"}")
                  .collect(Collectors.joining(","));
          FakeServer.reply(exchange, 200, "{\"jobs\":[" + found + "]}");
        });
    List<List<String>> batches = new CopyOnWriteArrayList<>();
    server.on(
        "POST",
        "/api/v3/jobs/batch",
        exchange -> {
          List<String> ids = idsIn(server.requests().getLast().body());
          batches.add(ids);
          ids.forEach(unfinished::remove);
          String results = ids.stream().map(_ -> "{\"ok\":true}").collect(Collectors.joining(","));
          FakeServer.reply(exchange, 200, "{\"results\":[" + results + "]}");
        });
    Process process = new ProcessBuilder("sh", "-c", "sleep 600; : trainyard").start();
    try {
      writeServerJson(process.pid());
      assertThat(shell.run("down", "--stop-jobs")).isEqualTo(ExitCode.OK);
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(unfinished).isEmpty();
    assertThat(batches.getFirst()).containsExactly("j20000", "j20001", "j20002");
    assertThat(batches).hasSize(4);
  }

  private static List<String> idsIn(String body) {
    return Pattern.compile("j\\d{5}").matcher(body).results().map(MatchResult::group).toList();
  }
}
