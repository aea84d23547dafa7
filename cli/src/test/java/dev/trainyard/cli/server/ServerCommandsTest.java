package dev.trainyard.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.FakeServer;
import dev.trainyard.cli.TestShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

  private void describe(long pid) throws IOException {
    Files.writeString(
        data.resolve("server.json"), "{\"url\":\"" + server.address() + "\",\"pid\":" + pid + "}");
  }

  @Test
  void nodes_picture_showsWhatIsTaken() throws IOException {
    describe(0);
    server.on(
        "GET",
        "/api/v3/nodes",
        200,
        """
        {"engine":"process","nodes":[{"name":"box","cpus":8,"memoryMB":65536,"freeCpus":6,"freeMemoryMB":32768,
         "devices":[{"vendor":"NVIDIA","kind":"GPU","index":0,"model":"a100","memoryMB":40960,"job":"alice~train"},
                    {"vendor":"NVIDIA","kind":"GPU","index":1,"model":"a100","memoryMB":40960,"job":null}],
         "isolation":{"files":"PRIVATE","processes":"PRIVATE","network":"NONE","limits":"PRIVATE"}}]}
        """);
    assertThat(shell.run("nodes")).isZero();
    assertThat(shell.out())
        .contains("box  process engine", "█████░░░░░░░░░░░░░░░ 2 of 8 in use")
        .contains("32 GB of 64 GB", "GPU a100", "■ □", "1 of 2", "0  alice~train")
        .contains("network shared with the machine");
  }

  @Test
  void version_namedServer_isAsked() {
    server.on("GET", "/api/v3/version", 200, "{\"version\":\"9.9\",\"api\":\"v3\"}");
    assertThat(shell.run("version", "--server", server.address().toString())).isZero();
    assertThat(shell.out()).isEqualTo("trainyard 1.2.3\nserver 9.9\n");
  }

  @Test
  void down_nothingRuns_saysSo() throws IOException {
    assertThat(shell.run("down")).isZero();
    assertThat(shell.err()).contains("No server runs on " + data);
    describe(ProcessHandle.current().pid() + 1_000_000_000L);
    assertThat(shell.run("down")).isZero();
  }

  @Test
  void down_foreignProcessUnderThePid_isLeftAlone() throws IOException, InterruptedException {
    Process stranger = new ProcessBuilder("sleep", "600").start();
    try {
      describe(stranger.pid());
      assertThat(shell.run("down")).isZero();
      assertThat(stranger.isAlive()).isTrue();
    } finally {
      stranger.destroyForcibly().waitFor();
    }
  }

  @Test
  void down_runningServer_endsItAfterItsJobs() throws IOException, InterruptedException {
    // A process whose command line looks like a server's.
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
        "/api/v3/jobs/01J/stop",
        exchange -> {
          stopped.set(true);
          FakeServer.reply(exchange, 202, "{}");
        });
    try {
      describe(process.pid());
      assertThat(shell.run("down", "--stop-jobs")).isEqualTo(ExitCode.OK);
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(stopped).isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
