package dev.trainyard.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.FakeServer;
import dev.trainyard.cli.ServedShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobFollowerTest extends ServedShell {
  private static final String JOB = "/api/v3/jobs/01J";
  private static final String HANG_UP = "";

  private Path file;

  @BeforeEach
  void submit() throws IOException {
    file = Files.writeString(home.resolve("job.json"), "{}");
    server.on("POST", "/api/v3/jobs", 201, "{\"id\":\"01J\",\"name\":\"a\",\"user\":\"alice\"}");
    server.serveLog(JOB + "/logs/-/-/stdout", "words\n");
    server.serveLog(JOB + "/logs/-/-/stderr", "");
  }

  private static String job(String state, int attempt, int taskCount, String... tasks) {
    return ("{\"id\":\"01J\",\"name\":\"a\",\"user\":\"alice\",\"state\":\"%s\",\"exitCode\":0,"
            + "\"attempt\":%d,\"taskCount\":%d,\"tasks\":[%s]}")
        .formatted(state, attempt, taskCount, String.join(",", tasks));
  }

  /** Sets the response to the n-th request for the job, counted from 1. */
  private void serveJob(IntFunction<String> responses) {
    AtomicInteger requestCount = new AtomicInteger();
    server.on(
        "GET",
        JOB,
        exchange -> {
          String response = responses.apply(requestCount.incrementAndGet());
          if (response.equals(HANG_UP)) {
            exchange.close();
          } else {
            FakeServer.reply(exchange, 200, response);
          }
        });
  }

  private int run() {
    return shell.run("run", file.toString());
  }

  @Test
  void follow_serverRestarted_continues() {
    // Java repeats the request once if the first connection is closed without a response.
    serveJob(
        request ->
            request > 1 && request < 5
                ? HANG_UP
                : job(request < 6 ? "RUNNING" : "SUCCEEDED", 1, 1));
    assertThat(run()).as(shell.err()).isZero();
    assertThat(shell.out()).isEqualTo("words\n");
  }

  /** Returns a job whose previous attempt could not pull its image. */
  private static String jobInBackoff(int seconds) {
    String cause =
        """
        {"code":"end.start-failed","params":{"detail":{"code":"error.image-unreachable","params":
          {"registry":"docker.io","image":"ubuntu:16.04","detail":"no such host"}}}}
        """;
    return job("WAITING", 1, 1)
        .replace(
            "\"tasks\"",
            "\"reason\":\"?\",\"reasonCode\":\"wait.back-off-cause\",\"reasonParams\":{\"attempt\":1,"
                + "\"seconds\":%d,\"cause\":%s},\"tasks\"".formatted(seconds, cause));
  }

  @Test
  void follow_jobInBackoff_printsTheCauseOnceWithoutTerminal() {
    serveJob(request -> request < 10 ? jobInBackoff(20 - request) : job("SUCCEEDED", 1, 1));
    assertThat(run()).as(shell.err()).isZero();
    assertThat(shell.err())
        .containsOnlyOnce("attempt 1 failed; the next one starts in")
        .containsOnlyOnce("failed to reach the registry docker.io for the image ubuntu:16.04");
  }

  @Test
  void follow_jobInBackoff_printsTheCauseInChinese() {
    serveJob(request -> request < 10 ? jobInBackoff(20 - request) : job("SUCCEEDED", 1, 1));
    assertThat(shell.run("run", file.toString(), "--lang=zh")).as(shell.err()).isZero();
    assertThat(shell.err())
        .containsOnlyOnce("拉取镜像 ubuntu:16.04 时无法连接镜像仓库 docker.io")
        .doesNotContain("failed");
  }

  @Test
  void wait_duringCountdown_printsTheReasonOnce() {
    serveJob(request -> request < 6 ? jobInBackoff(20 - request) : job("SUCCEEDED", 1, 1));
    assertThat(shell.run("wait", "01J")).as(shell.err()).isZero();
    assertThat(shell.err()).containsOnlyOnce("the next one starts in");
  }

  private static String task(String role, int index, int retry) {
    return "{\"role\":\"%s\",\"index\":%d,\"retry\":%d}".formatted(role, index, retry);
  }

  private List<String> requestLinesWith(String part) {
    return server.requestLines().stream().filter(line -> line.contains(part)).toList();
  }

  @Test
  void follow_oneTask_opensLogsBeforeStart() {
    serveJob(request -> job(request == 1 ? "WAITING" : "SUCCEEDED", request == 1 ? 0 : 1, 1));
    assertThat(run()).isZero();
    assertThat(server.requestLines().subList(0, 2))
        .containsExactly("POST /api/v3/jobs?suffix=true", "GET " + JOB);
    assertThat(server.requestLines().subList(2, 4))
        .allMatch(line -> line.contains("?follow=true&attempt=1&retry=0&"));
  }

  @Test
  void follow_oneTask_showsEveryRun() {
    // The second run has finished before it was seen.
    serveJob(
        request ->
            job(request < 3 ? "RUNNING" : "SUCCEEDED", 1, 1, task("m", 0, request < 3 ? 0 : 2)));
    assertThat(run()).isZero();
    assertThat(shell.out()).isEqualTo("words\nwords\nwords\n");
    assertThat(
            requestLinesWith("stdout").stream()
                .map(line -> line.replaceAll(".*retry=(\\d+).*", "$1")))
        .containsExactly("0", "1", "2");
  }

  @Test
  void follow_oneTask_showsUnseenFinishedRunsAndAttempts() {
    serveJob(request -> job("SUCCEEDED", 2, 1, task("m", 0, 0)));
    server.on("GET", JOB + "/attempts/1", 200, "{\"tasks\":[" + task("m", 0, 1) + "]}");
    assertThat(run()).isZero();
    assertThat(requestLinesWith("stdout"))
        .hasSize(3)
        .satisfiesExactly(
            line -> assertThat(line).contains("attempt=1&retry=0"),
            line -> assertThat(line).contains("attempt=1&retry=1"),
            line -> assertThat(line).contains("attempt=2&retry=0"));
  }

  @Test
  void follow_moreTasksThanLimit_showsAll() {
    String[] tasks = new String[150];
    for (int i = 0; i < tasks.length; i++) {
      tasks[i] = task("m", i, 0);
      server.serveLog(JOB + "/logs/m/" + i + "/stdout", "words\n");
      server.serveLog(JOB + "/logs/m/" + i + "/stderr", "");
    }
    serveJob(request -> job("SUCCEEDED", 1, tasks.length, tasks));
    assertThat(run()).isZero();
    assertThat(shell.out().lines()).hasSize(150).contains("m-0 | words", "m-149 | words");
    assertThat(shell.err()).isEqualTo("Submitted alice~a\n");
  }

  @Test
  void follow_tasksBeyondFirstPage_printsNote() {
    server.serveLog(JOB + "/logs/m/0/stdout", "words\n");
    server.serveLog(JOB + "/logs/m/0/stderr", "");
    String job = job("SUCCEEDED", 1, 2, task("m", 0, 0));
    serveJob(request -> job.replace("\"tasks\"", "\"tasksNext\":1,\"tasks\""));
    assertThat(run()).isZero();
    assertThat(shell.out()).isEqualTo("m-0 | words\n");
    assertThat(shell.err()).containsOnlyOnce("the logs of the first 1 tasks");
  }

  @Test
  void follow_severalTasks_showsUnseenFinishedAttempts() {
    server.serveLog(JOB + "/logs/m/0/stdout", "words\n");
    server.serveLog(JOB + "/logs/m/0/stderr", "");
    serveJob(request -> job("SUCCEEDED", 2, 2, task("m", 0, 0)));
    server.on("GET", JOB + "/attempts/1", 200, "{\"tasks\":[" + task("m", 0, 0) + "]}");
    assertThat(run()).isZero();
    assertThat(requestLinesWith("stdout"))
        .satisfiesExactly(
            line -> assertThat(line).contains("attempt=1&retry=0"),
            line -> assertThat(line).contains("attempt=2&retry=0"));
  }
}
