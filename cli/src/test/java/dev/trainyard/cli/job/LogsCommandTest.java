package dev.trainyard.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.ServedShell;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whichever run is meant is decided once, however many requests it takes to show it. */
class LogsCommandTest extends ServedShell {
  private static final String JOB = "/api/v3/jobs/a";

  private void job(String more) {
    String tasks = "\"tasks\":[{\"role\":\"m\",\"index\":0,\"attempt\":3,\"retry\":2}]";
    server.on("GET", JOB, 200, "{\"state\":\"RUNNING\",\"attempt\":3," + tasks + more + "}");
    server.log(JOB + "/logs/m/0/stdout", "1\n2\n");
    server.log(JOB + "/logs/m/0/stderr", "e\n");
    server.log(JOB + "/logs/m/700/stdout", "far\n");
  }

  private List<String> asked() {
    return server.lines().stream().filter(line -> line.contains("/logs/")).toList();
  }

  @Test
  void newestRun_isNamedInEveryRequest() {
    job("");
    assertThat(shell.run("logs", "a", "--tail", "1")).isZero();
    assertThat(shell.out()).isEqualTo("2\n");
    assertThat(asked()).hasSize(4).allMatch(line -> line.contains("?attempt=3&retry=2&offset="));
  }

  @Test
  void newestRun_followed_isNamedToo() {
    job("");
    assertThat(shell.run("logs", "a", "-f")).isZero();
    assertThat(shell.err()).isEqualTo("e\n");
    assertThat(asked())
        .hasSize(2)
        .allMatch(line -> line.contains("?attempt=3&retry=2&follow=true&offset="));
  }

  @Test
  void runThatWasChosen_isTaken() {
    job("");
    assertThat(shell.run("logs", "a", "--stdout", "--retry", "1")).isZero();
    assertThat(asked()).singleElement().asString().contains("?attempt=3&retry=1&");
  }

  @Test
  void earlierAttempt_hasARunOfItsOwn() {
    job("");
    assertThat(shell.run("logs", "a", "--stdout", "--attempt", "1")).isZero();
    // Nothing is added to an attempt that is over, so its newest run stays the same.
    assertThat(asked()).singleElement().asString().contains("?attempt=1&offset=");
  }

  @Test
  void taskBeyondThoseOfTheAnswer_isLookedUp() {
    job(",\"tasksNext\":1");
    server.on("GET", JOB + "/tasks/m/700/runs", 200, "{\"runs\":[{\"retry\":4},{\"retry\":3}]}");
    assertThat(shell.run("logs", "a", "--stdout", "--role", "m", "--index", "700")).isZero();
    assertThat(server.lines()).contains("GET " + JOB + "/tasks/m/700/runs?attempt=3");
    assertThat(asked()).singleElement().asString().contains("?attempt=3&retry=4&");
  }

  @Test
  void taskBeyondThoseOfTheAnswer_notStartedYet_isItsFirstRun() {
    job(",\"tasksNext\":1");
    assertThat(shell.run("logs", "a", "--stdout", "--role", "m", "--index", "700")).isZero();
    assertThat(asked()).singleElement().asString().contains("?attempt=3&retry=0&");
  }
}
