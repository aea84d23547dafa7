package dev.trainyard.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.FakeServer;
import dev.trainyard.cli.ServedShell;
import dev.trainyard.cli.TestShell;
import dev.trainyard.cli.api.LocalServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobCommandsTest extends ServedShell {
  private static final String LOGS = "/api/v3/jobs/01J/logs/-/-/";

  private Path file;

  @BeforeEach
  void writeFile() throws IOException {
    file = Files.writeString(home.resolve("job.json"), "{\"jobName\":\"hello\"}");
  }

  private static String job(String state, String exitCode, String nextField) {
    return ("{\"id\":\"01J\",\"name\":\"hello\",\"user\":\"alice\",\"state\":\"%s\",\"exitCode\":%s,"
                + "\"attempt\":1,\"taskCount\":1,\"submitted\":1,\"tasks\":[]%s}")
        .formatted(state, exitCode, nextField);
  }

  private void acceptSubmission() {
    server.on(
        "POST",
        "/api/v3/jobs",
        201,
        "{\"id\":\"01J\",\"name\":\"hello\",\"user\":\"alice\",\"state\":\"WAITING\",\"warnings\":[]}");
  }

  private void serveFinishedJob(String state, String exitCode) {
    acceptSubmission();
    server.on("GET", "/api/v3/jobs/01J", 200, job(state, exitCode, ""));
    server.serveLog(LOGS + "stdout", "to stdout\n");
    server.serveLog(LOGS + "stderr", "to stderr\n");
  }

  @Test
  void submit_json_printsJob() {
    acceptSubmission();
    assertThat(shell.run("submit", file.toString(), "--json")).isZero();
    assertThat(shell.out()).isEqualTo("{\"id\":\"01J\",\"name\":\"hello\",\"user\":\"alice\"}\n");
    FakeServer.ReceivedRequest request = server.requests().getLast();
    assertThat(request.token()).isEqualTo("secret");
    assertThat(request.body()).isEqualTo("{\"jobName\":\"hello\"}");
  }

  @Test
  void submitAndRun_virtualClusterOption_isSent() {
    serveFinishedJob("SUCCEEDED", "0");
    assertThat(shell.run("submit", file.toString(), "--vc", "class")).isZero();
    assertThat(shell.run("run", file.toString(), "--vc", "a b")).isZero();
    assertThat(server.requestLines())
        .contains(
            "POST /api/v3/jobs?virtualCluster=class",
            "POST /api/v3/jobs?suffix=true&virtualCluster=a%20b");
  }

  @Test
  void submit_stdin_isSent() {
    acceptSubmission();
    assertThat(shell.stdin("{}").run("submit", "-")).isZero();
    assertThat(shell.out()).isEqualTo("Submitted alice~hello\n");
    assertThat(server.requests().getLast().body()).isEqualTo("{}");
  }

  @Test
  void submit_problems_printedLikeCompilerMessages() {
    server.on(
        "POST",
        "/api/v3/jobs",
        400,
        """
        {"code":"INVALID_JOB","message":"2 problems","params":{},"problems":[
         {"path":"taskRoles[0].command","message":"is missing","code":"x.y","params":{},"line":3,"column":5},
         {"path":"","message":"evil \\u001b[2J","code":"x.z","params":{},"line":0,"column":0}]}
        """);
    assertThat(shell.run("submit", file.toString())).isEqualTo(ExitCode.FAILED);
    assertThat(shell.err())
        .contains(file + ":3:5 taskRoles[0].command: is missing\n", file + ": evil [2J\n")
        .contains("2 problems; nothing was stored");
    assertThat(shell.out()).isEmpty();
  }

  @Test
  void submit_noFile_printsError() {
    assertThat(shell.run("submit", "missing.json")).isEqualTo(ExitCode.FAILED);
    assertThat(shell.err()).contains("File not found: missing.json");
    assertThat(shell.run("submit", home.toString())).isEqualTo(ExitCode.FAILED);
    assertThat(shell.err()).contains("is a directory");
  }

  @Test
  void run_success_separatesOutputs() {
    serveFinishedJob("SUCCEEDED", "0");
    assertThat(shell.run("run", file.toString())).isZero();
    assertThat(shell.out()).isEqualTo("to stdout\n");
    assertThat(shell.err()).isEqualTo("Submitted alice~hello\nto stderr\n");
    assertThat(server.requestLines()).contains("POST /api/v3/jobs?suffix=true");
  }

  @Test
  void run_failure_exitsWithJobExitCode() {
    serveFinishedJob("FAILED", "7");
    assertThat(shell.run("run", file.toString())).isEqualTo(7);
    assertThat(shell.err()).contains("alice~hello: The job failed with exit code 7.");
  }

  @Test
  void run_noExitCode_exitsWithDocumentedCode() {
    serveFinishedJob("STOPPED", "null");
    assertThat(shell.run("run", file.toString())).isEqualTo(ExitCode.STOPPED);
    serveFinishedJob("FAILED", "null");
    assertThat(shell.run("run", file.toString())).isEqualTo(ExitCode.FAILED);
    serveFinishedJob("FAILED", "256");
    assertThat(shell.run("run", file.toString())).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void run_secondAttempt_isFollowed() {
    serveFinishedJob("FAILED", "1");
    server.on("GET", "/api/v3/jobs/01J/attempts/1", 200, "{\"tasks\":[]}");
    AtomicInteger requestCount = new AtomicInteger();
    server.on(
        "GET",
        "/api/v3/jobs/01J",
        exchange ->
            FakeServer.reply(
                exchange,
                200,
                requestCount.incrementAndGet() < 3
                    ? job("RUNNING", "null", ",\"attempt\":2")
                    : job("SUCCEEDED", "0", ",\"attempt\":2")));
    assertThat(shell.run("run", file.toString())).isZero();
    assertThat(shell.out()).isEqualTo("to stdout\nto stdout\n");
    assertThat(server.requestLines()).anyMatch(line -> line.contains("attempt=2"));
  }

  @Test
  void run_ctrlC_stopsTheJobAndWaits() {
    serveFinishedJob("STOPPED", "null");
    server.on("POST", "/api/v3/jobs/01J/stop", 202, job("STOPPING", "null", ""));
    server.on(
        "GET",
        LOGS + "stdout",
        exchange -> {
          shell.pressCtrlC();
          FakeServer.reply(exchange, 200, "last words\n");
        });
    assertThat(shell.run("run", file.toString())).isEqualTo(ExitCode.STOPPED);
    assertThat(server.requestLines()).contains("POST /api/v3/jobs/01J/stop");
    assertThat(shell.out()).isEqualTo("last words\n");
  }

  @Test
  void run_jobThatNeverFits_doesNotHang() {
    server.on(
        "POST",
        "/api/v3/jobs",
        201,
        "{\"id\":\"01J\",\"name\":\"big\",\"user\":\"alice\",\"neverFits\":true,\"reason\":\"needs"
            + " 8 GPUs\"}");
    assertThat(shell.run("run", file.toString())).isEqualTo(ExitCode.FAILED);
    assertThat(shell.err()).contains("needs 8 GPUs", "trainyard stop alice~big");
  }

  @Test
  void run_detach_returnsAtOnce() {
    acceptSubmission();
    assertThat(shell.run("run", "-d", file.toString(), "--json")).isZero();
    assertThat(shell.out()).contains("\"id\":\"01J\"");
    assertThat(server.requestLines()).doesNotContain("GET /api/v3/jobs/01J");
  }

  @Test
  void run_noLocalServer_startsOneAndPrintsHowToStopIt() {
    serveFinishedJob("SUCCEEDED", "0");
    TestShell newShell =
        new TestShell(home)
            .env("TRAINYARD_DATA", home.resolve("data").toString())
            .background(
                (data, options, session) -> {
                  try {
                    Files.createDirectories(data);
                    Files.writeString(
                        data.resolve("server.json"),
                        "{\"url\":\"" + server.address() + "\",\"pid\":0}");
                    Files.writeString(data.resolve("local-token"), "local");
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                  return new LocalServer(server.address(), 0);
                });
    assertThat(newShell.run("run", file.toString())).isZero();
    assertThat(newShell.err()).contains("To stop the server: trainyard down");
    assertThat(server.requests().getLast().token()).isEqualTo("local");
  }

  @Test
  void ls_ownJobs_asTable() {
    server.on(
        "GET",
        "/api/v3/jobs",
        200,
        "{\"jobs\":[" + job("WAITING", "null", ",\"reason\":\"1 job ahead\"") + "]}");
    assertThat(shell.run("ls")).isZero();
    assertThat(shell.out()).contains("hello", "waiting", "1 job ahead").startsWith("JOB");
    assertThat(server.requestLines().getLast()).contains("user=alice");
  }

  @Test
  void ls_reasonCode_isTranslated() {
    server.on(
        "GET",
        "/api/v3/jobs",
        200,
        "{\"jobs\":["
            + job(
                "WAITING",
                "null",
                ",\"reason\":\"1 job"
                    + " ahead\",\"reasonCode\":\"wait.behind\",\"reasonParams\":{\"ahead\":1}")
            + "]}");
    assertThat(shell.run("ls", "--lang=zh")).isZero();
    assertThat(shell.out()).contains("排队中", "前面还有 1 个任务").doesNotContain("ahead");
  }

  @Test
  void ls_manyPages_untilTheLimit() {
    AtomicInteger pages = new AtomicInteger();
    server.on(
        "GET",
        "/api/v3/jobs",
        exchange -> {
          String nextField =
              pages.incrementAndGet() < 5 ? ",\"next\":\"p" + pages.get() + "\"" : "";
          FakeServer.reply(
              exchange, 200, "{\"jobs\":[" + job("SUCCEEDED", "0", "") + "]" + nextField + "}");
        });
    assertThat(shell.run("ls", "--all", "-n", "3", "--state", "succeeded,failed", "--json"))
        .isZero();
    assertThat(shell.out().split("\"id\"", -1)).hasSize(4);
    assertThat(server.requestLines().getLast())
        .contains("after=p2", "limit=1", "state=SUCCEEDED%2CFAILED")
        .doesNotContain("user=");
  }

  @Test
  void show_job_printsTasksAndNotices() {
    server.on(
        "GET",
        "/api/v3/jobs/alice~hello",
        200,
        """
        {"id":"01J","name":"hello","user":"alice","state":"RUNNING","taskCount":1,"cpus":1,"memoryMB":512,
         "devices":2,"submitted":1000,"started":2000,"image":"ubuntu\\u001b]0;x\\u0007",
         "notices":[{"code":"notice.of-the-future","message":"The image is not used.","params":{}}],
         "tasks":[{"role":"main","index":0,"state":"RUNNING","node":"box","devices":[0,1]}]}
        """);
    assertThat(shell.run("show", "alice~hello")).isZero();
    assertThat(shell.out())
        .contains("alice~hello", "running", "512 MiB", "The image is not used.", "main-0", "0,1")
        .doesNotContain("\u001B");
    assertThat(shell.run("show", "alice~hello", "--json")).isZero();
    assertThat(shell.out()).contains("\"tasks\"");
  }

  @Test
  void show_manyTasks_jsonHasAll() {
    String firstPage = "\"attempt\":2,\"tasksNext\":1,\"tasks\":[{\"role\":\"m\",\"index\":0}]";
    String largeJob = job("RUNNING", "null", "").replace("\"tasks\":[]", firstPage);
    server.on("GET", "/api/v3/jobs/large", 200, largeJob);
    String lastPage = "{\"tasks\":[{\"role\":\"m\",\"index\":1}]}";
    server.on("GET", "/api/v3/jobs/large/tasks", 200, lastPage);
    assertThat(shell.run("show", "large")).isZero();
    assertThat(shell.out()).contains("Showing the first 1 tasks");
    assertThat(shell.run("show", "large", "--json")).isZero();
    assertThat(shell.out()).contains("\"index\" : 0", "\"index\" : 1").doesNotContain("tasksNext");
    assertThat(server.requestLines().getLast()).contains("attempt=2", "offset=1");
  }

  @Test
  void why_anyState_printsOneSentence() {
    server.on("GET", "/api/v3/jobs/a", 200, job("WAITING", "null", ",\"reason\":\"needs 4 GPUs\""));
    server.on("GET", "/api/v3/jobs/b", 200, job("SUCCEEDED", "0", ""));
    assertThat(shell.run("why", "a")).isZero();
    assertThat(shell.out()).isEqualTo("needs 4 GPUs\n");
    assertThat(shell.run("why", "b")).isZero();
    assertThat(shell.out()).isEqualTo("The job succeeded.\n");
  }

  @Test
  void errors_exitCodes() {
    assertThat(shell.run("show", "missing")).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(shell.err()).isEqualTo("error: There is no such job.\n");
    server.reject("GET", "/api/v3/jobs/x", 401, "SIGN_IN_REQUIRED", "Sign in first.");
    assertThat(shell.run("show", "x")).isEqualTo(ExitCode.NOT_ALLOWED);
    assertThat(shell.err()).contains("trainyard login");
    server.reject("DELETE", "/api/v3/jobs/x", 409, "CONFLICT", "It still runs.");
    assertThat(shell.run("rm", "x", "-f")).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void stop_several_continuesAfterError() {
    server.on("POST", "/api/v3/jobs/b/stop", 202, job("STOPPING", "null", ""));
    assertThat(shell.run("stop", "a", "b")).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(shell.out()).isEqualTo("Stopping alice~hello\n");
    assertThat(shell.err()).startsWith("a: error:");
  }

  @Test
  void stop_pathTraversal_isEscaped() {
    shell.run("stop", "../users/alice", "..");
    assertThat(server.requestLines())
        .containsExactly(
            "POST /api/v3/jobs/..%2Fusers%2Falice/stop", "POST /api/v3/jobs/%2E%2E/stop");
  }

  @Test
  void logs_tailAndStreams() {
    String logPath = "/api/v3/jobs/hello/logs/worker/0/";
    server.on("GET", "/api/v3/jobs/hello", 200, withTasks("RUNNING", "worker-0", "worker-1"));
    server.serveLog(logPath + "stdout", "1\n2\n3\n");
    server.serveLog(logPath + "stderr", "e1\ne2\n");
    assertThat(shell.run("logs", "hello", "--role", "worker", "--tail", "1")).isZero();
    assertThat(shell.out()).isEqualTo("3\n");
    assertThat(shell.err()).isEqualTo("e2\n");
    assertThat(shell.run("logs", "hello", "--index", "0", "--stdout", "--stderr")).isZero();
    assertThat(shell.err()).isEqualTo("e1\ne2\n");
    assertThat(shell.run("logs", "hello", "--role", "worker", "--stderr", "-f")).isZero();
    assertThat(shell.out()).isEqualTo("e1\ne2\n");
  }

  private static String withTasks(String state, String... names) {
    StringBuilder tasks = new StringBuilder();
    for (String name : names) {
      int dash = name.lastIndexOf('-');
      tasks
          .append(tasks.isEmpty() ? "" : ",")
          .append(
              "{\"role\":\"%s\",\"index\":%s}"
                  .formatted(name.substring(0, dash), name.substring(dash + 1)));
    }
    return job(state, "null", "").replace("\"tasks\":[]", "\"tasks\":[" + tasks + "]");
  }

  @Test
  void logs_jobNeverRan_printsMessage() {
    server.on("GET", "/api/v3/jobs/hello", 200, job("WAITING", "null", ""));
    assertThat(shell.run("logs", "hello")).isZero();
    assertThat(shell.err()).contains("alice~hello has not run yet");
    server.on("GET", "/api/v3/jobs/hello", 200, job("STOPPED", "null", ""));
    assertThat(shell.run("logs", "hello", "-f")).isEqualTo(ExitCode.FAILED);
    assertThat(shell.err()).contains("alice~hello never ran");
  }

  @Test
  void logs_unknownTaskOrAttempt_listsAvailable() {
    server.on("GET", "/api/v3/jobs/hello", 200, withTasks("RUNNING", "m-0", "m-1"));
    assertThat(shell.run("logs", "hello")).isEqualTo(ExitCode.FAILED);
    assertThat(shell.err()).contains("hello has 2 tasks: m-0 m-1", "--role and --index");
    assertThat(shell.run("logs", "hello", "--index", "5")).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(shell.err()).contains("no task m-5; it has m-0 m-1", "--role and --index");
    assertThat(shell.run("logs", "hello", "--index", "1", "--attempt", "2"))
        .isEqualTo(ExitCode.NOT_FOUND);
    assertThat(shell.err()).contains("no attempt 2; there is only attempt 1");
    assertThat(shell.run("logs", "hello", "--tail", "-1")).isEqualTo(ExitCode.USAGE);
    assertThat(shell.err()).contains("--tail must be at least 0");
  }

  @Test
  void ls_noJobs_printsReason() {
    server.on("GET", "/api/v3/jobs", 200, "{\"jobs\":[]}");
    assertThat(shell.run("ls")).isZero();
    assertThat(shell.err()).contains("No jobs. Try:");
    assertThat(shell.run("ls", "--state", "failed")).isZero();
    assertThat(shell.err()).isEqualTo("No matching jobs.\n");
    assertThat(shell.run("ls", "-a")).isZero();
    assertThat(shell.err()).contains("showing your own");
  }

  @Test
  void ls_invalidOptions_isUsageError() {
    assertThat(shell.run("ls", "-n", "0")).isEqualTo(ExitCode.USAGE);
    assertThat(shell.err()).contains("--limit must be at least 1");
    assertThat(shell.run("ls", "--state", "running,done")).isEqualTo(ExitCode.USAGE);
    assertThat(shell.err())
        .contains("\"done\" is not a valid state; expected one of: waiting preparing");
    assertThat(server.requestLines()).isEmpty();
  }

  @Test
  void stop_withGrace() {
    server.on("POST", "/api/v3/jobs/hello/stop", 202, job("STOPPING", "null", ""));
    assertThat(shell.run("stop", "--grace", "2m", "hello")).isZero();
    assertThat(server.requestLines()).anyMatch(line -> line.contains("stop?graceSeconds=120"));
    assertThat(shell.run("stop", "--grace", "soon", "hello")).isEqualTo(ExitCode.USAGE);
    assertThat(shell.err()).contains("--grace must be a duration like 5s or 2m, not soon");
  }

  @Test
  void pause_andResume() {
    server.on("POST", "/api/v3/jobs/hello/pause", 202, job("STOPPING", "null", ""));
    assertThat(shell.run("pause", "hello")).isZero();
    assertThat(shell.out()).isEqualTo("Pausing alice~hello\n");
    server.on("POST", "/api/v3/jobs/hello/pause", 202, job("PAUSED", "null", ""));
    assertThat(shell.run("pause", "hello")).isZero();
    assertThat(shell.out()).isEqualTo("Paused alice~hello\n");
    server.on("POST", "/api/v3/jobs/hello/resume", 202, job("WAITING", "null", ""));
    assertThat(shell.run("resume", "hello")).isZero();
    assertThat(shell.out()).isEqualTo("Resumed alice~hello\n");
  }

  @Test
  void show_attemptsAndTaskAddresses() {
    String attempts =
        """
        "attempts":[{"number":2,"cause":"PLATFORM_FAULT","started":1},
          {"number":1,"cause":"FIRST","exitCode":137,"reasonCode":"end.hopeless",
           "reasonParams":{"faults":2,"last":{"code":"end.node-lost","params":{}}}}],
        "tasks":[{"role":"m","index":0,"state":"RUNNING","address":"127.0.1.2",
          "ports":{"ssh":[20000],"http":[20001,20002]}}]
        """;
    server.on(
        "GET",
        "/api/v3/jobs/hello",
        200,
        job("RUNNING", "null", "").replace("\"tasks\":[]", attempts));
    assertThat(shell.run("show", "hello")).isZero();
    assertThat(shell.out())
        .contains("Attempts, newest first:", "platform failure")
        .contains("the last one: lost: its node was restarted")
        .contains("127.0.1.2", "ssh:20000 http:20001,20002");
  }

  @Test
  void show_earlierAttempt() {
    server.on(
        "GET",
        "/api/v3/jobs/hello/attempts/1",
        200,
        """
        {"number":1,"cause":"FIRST","exitCode":7,"stopCause":"RETRY",
         "tasks":[{"role":"m","index":0,"state":"ENDED","exitCode":7}]}
        """);
    assertThat(shell.run("show", "hello", "--attempt", "1")).isZero();
    assertThat(shell.out()).contains("submitted", "retry", "m-0");
  }
}
