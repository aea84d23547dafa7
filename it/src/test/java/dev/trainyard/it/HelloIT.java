package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.it.Trainyard.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the first commands of a new user. */
class HelloIT extends NeedsSandbox {
  @TempDir static Path directory;
  private static Trainyard trainyard;

  @BeforeAll
  static void start() throws Exception {
    trainyard = Trainyard.start(directory.resolve("data"));
  }

  @AfterAll
  static void stop() {
    if (trainyard != null) {
      trainyard.close();
    }
  }

  private Result example(String name) throws Exception {
    return trainyard.run("run", Trainyard.CHECKOUT.resolve("examples").resolve(name).toString());
  }

  @Test
  void run_sameFileThreeTimes_getsDistinctNames() throws Exception {
    for (int i = 0; i < 3; i++) {
      Result hello = example("hello.json");
      assertThat(hello.exitCode()).as(hello.toString()).isZero();
      assertThat(hello.out()).isEqualTo("finished\n");
    }
    assertThat(trainyard.run("ls", "--json").json().findValuesAsText("name"))
        .hasSizeGreaterThanOrEqualTo(3)
        .doesNotHaveDuplicates();
    assertThat(trainyard.data().resolve("home/admin/output/out.txt")).isNotEmptyFile();
  }

  @Test
  void run_secondJob_readsOutputOfTheFirst() throws Exception {
    example("hello.json");
    Result second = example("read-output.json");
    assertThat(second.exitCode()).isZero();
    assertThat(second.out())
        .contains(Files.readString(trainyard.data().resolve("home/admin/output/out.txt")).strip());
  }

  @Test
  void run_failingLineInTheMiddle_continuesAndLastExitCodeCounts() throws Exception {
    Result result = example("exit-code.json");
    assertThat(result.out()).isEqualTo("still here\n");
    assertThat(result.exitCode()).isEqualTo(7);
    var job = trainyard.run("show", "exit-code", "--json").json();
    assertThat(job.get("state").asText()).isEqualTo("FAILED");
    assertThat(job.get("exitCode").asInt()).isEqualTo(7);
    assertThat(job.get("reason").asText()).contains("7");
  }

  @Test
  void run_withoutServer_startsOneThatKeepsRunning() throws Exception {
    Path data = directory.resolve("other");
    var environment =
        Map.of(
            "TRAINYARD_DATA", data.toString(),
            "TRAINYARD_PORT", "0",
            "TRAINYARD_HOST", "0.0.0.0",
            "TRAINYARD_ENGINE", "process");
    String hello = Trainyard.CHECKOUT.resolve("examples/hello.json").toString();
    Result result = Trainyard.command(environment, "", "run", hello);
    try {
      assertThat(result.exitCode()).as(result.toString()).isZero();
      assertThat(result.out()).isEqualTo("finished\n");
      assertThat(result.err())
          .contains("trainyard down")
          .contains("Engine: process (selected by the setting \"engine\")")
          .contains("warning: the server listens on 0.0.0.0 without TLS");
    } finally {
      Result down = Trainyard.command(environment, "", "down");
      assertThat(down.exitCode()).as(down.toString()).isZero();
    }
    assertThat(data.resolve("server.json")).doesNotExist();
  }

  @Test
  void up_detached_printsEngineWarningsAndCommandsForThisServer() throws Exception {
    String data = directory.resolve("my data").toString();
    Map<String, String> none = Map.of();
    Result up =
        Trainyard.command(
            none,
            "",
            "up",
            "-d",
            "--data",
            data,
            "--port",
            "0",
            "--host",
            "0.0.0.0",
            "--engine",
            "process");
    String inUse = "trainyard --data '" + data + "' ";
    try {
      assertThat(up.exitCode()).as(up.toString()).isZero();
      assertThat(up.out()).contains("Trainyard is ready at http://");
      assertThat(up.err())
          .contains("Engine: process (selected by the setting \"engine\")")
          .contains("warning: the server listens on 0.0.0.0 without TLS")
          .contains(inUse + "run examples/hello.json", inUse + "down");
      Result status = Trainyard.command(none, "", "status", "--data", data);
      assertThat(status.out()).contains("process (selected by", "without TLS");
    } finally {
      Result down = Trainyard.command(none, "", "--data", data, "down");
      assertThat(down.exitCode()).as(down.toString()).isZero();
    }
    Result secondDown = Trainyard.command(none, "", "--data", data, "down");
    assertThat(secondDown.exitCode()).isEqualTo(1);
  }
}
