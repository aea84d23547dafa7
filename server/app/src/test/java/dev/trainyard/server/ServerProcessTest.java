package dev.trainyard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.server.config.Logging;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.config.SettingsReader;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs a server in a separate process, which the test terminates with signals. */
class ServerProcessTest {
  @TempDir Path directory;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void endProcesses() throws Exception {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  /** The main class of the process. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) throws InterruptedException {
      Logging.prepare();
      Settings settings = SettingsReader.read(Map.of("data", args[0], "port", "0"), Map.of());
      Logging.configure(settings, System.err);
      Server server = Server.start(settings, Optional.empty(), List.of()).closeAtExit();
      System.out.println(server.url());
      Thread.currentThread().join();
    }
  }

  @Test
  void terminated_stopsCleanly() throws Exception {
    Process process = start();
    assertThat(firstLine(process)).startsWith("http://127.0.0.1:");
    assertThat(data("server.json")).exists();
    process.toHandle().destroy();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(128 + 15);
    assertThat(data("server.json")).doesNotExist();
    assertThat(data("trainyard.db-wal")).doesNotExist();
    assertThat(Files.readString(directory.resolve("log"))).contains("the server has stopped");
  }

  @Test
  void secondServer_addressOfFirstReported() throws Exception {
    Process first = start();
    String url = firstLine(first);
    Process second = start();
    assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(directory.resolve("log")))
        .contains("a server is already running")
        .contains("pid " + first.pid() + " " + url);
  }

  @Test
  void killed_nextServerStarts() throws Exception {
    Process first = start();
    firstLine(first);
    first.destroyForcibly().waitFor();
    assertThat(data("server.json")).exists();
    Process second = start();
    assertThat(firstLine(second)).startsWith("http://");
  }

  private Path data(String name) {
    return directory.resolve("data").resolve(name);
  }

  private Process start() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName(),
                directory.resolve("data").toString())
            .redirectError(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()))
            .start();
    started.add(process);
    return process;
  }

  private static String firstLine(Process process) throws Exception {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    return lines.readLine();
  }
}
