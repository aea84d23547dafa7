package dev.trainyard.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.FakeServer;
import dev.trainyard.cli.ServedShell;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The run to show is determined once, regardless of the number of requests. */
class LogsCommandTest extends ServedShell {
  private static final String JOB = "/api/v3/jobs/a";

  private void serveJob(String extraFields) {
    String tasks = "\"tasks\":[{\"role\":\"m\",\"index\":0,\"attempt\":3,\"retry\":2}]";
    server.on("GET", JOB, 200, "{\"state\":\"RUNNING\",\"attempt\":3," + tasks + extraFields + "}");
    server.serveLog(JOB + "/logs/m/0/stdout", "1\n2\n");
    server.serveLog(JOB + "/logs/m/0/stderr", "e\n");
    server.serveLog(JOB + "/logs/m/700/stdout", "far\n");
  }

  private List<String> logRequests() {
    return server.requestLines().stream().filter(line -> line.contains("/logs/")).toList();
  }

  @Test
  void newestRun_isNamedInEveryRequest() {
    serveJob("");
    assertThat(shell.run("logs", "a", "--tail", "1")).isZero();
    assertThat(shell.out()).isEqualTo("2\n");
    assertThat(logRequests())
        .hasSize(4)
        .allMatch(line -> line.contains("?attempt=3&retry=2&offset="));
  }

  @Test
  void newestRun_follow_namesRun() {
    serveJob("");
    assertThat(shell.run("logs", "a", "-f")).isZero();
    assertThat(shell.err()).isEqualTo("e\n");
    assertThat(logRequests())
        .hasSize(2)
        .allMatch(line -> line.contains("?attempt=3&retry=2&follow=true&offset="));
  }

  @Test
  void retryOption_selectsTheRun() {
    serveJob("");
    assertThat(shell.run("logs", "a", "--stdout", "--retry", "1")).isZero();
    assertThat(logRequests()).singleElement().asString().contains("?attempt=3&retry=1&");
  }

  @Test
  void earlierAttempt_usesItsOwnRun() {
    serveJob("");
    assertThat(shell.run("logs", "a", "--stdout", "--attempt", "1")).isZero();
    // A finished attempt gets no further runs, so its latest run does not change.
    assertThat(logRequests()).singleElement().asString().contains("?attempt=1&offset=");
  }

  @Test
  void taskBeyondFirstPage_isLookedUp() {
    serveJob(",\"tasksNext\":1");
    server.on("GET", JOB + "/tasks/m/700/runs", 200, "{\"runs\":[{\"retry\":4},{\"retry\":3}]}");
    assertThat(shell.run("logs", "a", "--stdout", "--role", "m", "--index", "700")).isZero();
    assertThat(server.requestLines()).contains("GET " + JOB + "/tasks/m/700/runs?attempt=3");
    assertThat(logRequests()).singleElement().asString().contains("?attempt=3&retry=4&");
  }

  @Test
  void taskBeyondFirstPage_notStarted_usesFirstRun() {
    serveJob(",\"tasksNext\":1");
    assertThat(shell.run("logs", "a", "--stdout", "--role", "m", "--index", "700")).isZero();
    assertThat(logRequests()).singleElement().asString().contains("?attempt=3&retry=0&");
  }

  @Test
  void waitingJob_follow_printsEachReason() {
    AtomicInteger requests = new AtomicInteger();
    server.on(
        "GET",
        JOB,
        exchange -> {
          int count = requests.incrementAndGet();
          String job = "{\"user\":\"u\",\"name\":\"a\",\"state\":";
          FakeServer.reply(
              exchange,
              200,
              count < 3
                  ? job + "\"WAITING\",\"reason\":\"needs 8 GPUs\"}"
                  : count < 5
                      ? job + "\"WAITING\",\"reason\":\"needs 4 GPUs\"}"
                      : job + "\"STOPPED\"}");
        });
    shell.run("logs", "a", "-f");
    assertThat(shell.err()).containsOnlyOnce("needs 8 GPUs").containsOnlyOnce("needs 4 GPUs");
  }

  @Test
  void wait_finishedJob_exitsWithItsCode() {
    server.on("GET", JOB, 200, "{\"state\":\"FAILED\",\"exitCode\":7,\"reason\":\"no\"}");
    assertThat(shell.run("wait", "a")).isEqualTo(7);
    assertThat(shell.run("wait", "a", "--for", "failed")).isZero();
    assertThat(shell.run("wait", "a", "--for", "nowhere")).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void wait_forState_returnsWhenReached() {
    AtomicInteger requests = new AtomicInteger();
    server.on(
        "GET",
        JOB,
        exchange ->
            FakeServer.reply(
                exchange,
                200,
                requests.incrementAndGet() < 3
                    ? "{\"state\":\"WAITING\"}"
                    : "{\"state\":\"RUNNING\"}"));
    assertThat(shell.run("wait", "a", "--for", "running")).isZero();
    server.on("GET", JOB, 200, "{\"state\":\"SUCCEEDED\",\"exitCode\":0}");
    assertThat(shell.run("wait", "a", "--for", "running")).isEqualTo(ExitCode.FAILED);
    assertThat(shell.run("wait", "a")).isZero();
  }
}
