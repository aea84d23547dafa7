package dev.trainyard.server.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.TerminalSize;
import dev.trainyard.engine.testkit.ScriptedExecution;
import dev.trainyard.model.JobState;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Scope;
import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.http.WebConfig;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.job.JobRoutes;
import dev.trainyard.server.queue.JobFixture;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests commands in tasks over a real connection, on an engine without processes. */
class ExecHttpTest {
  private static final String EXEC = "/api/v3/jobs/hello/tasks/-/-/exec";
  private static final int LIMIT = 2;

  private final Map<String, Caller> callers =
      new ConcurrentHashMap<>(
          Map.of(
              "alice", JobFixture.ALICE,
              "bob", new Caller("u2", "bob", false, "t2"),
              "reader", new Caller("u1", "alice", false, "t3", Scope.READ, true, ""),
              "admin", new Caller("u0", "admin", true, "t0")));
  private final Db db = TestDatabase.SQLITE.create();
  private final JobFixture fixture = new JobFixture(db).started();
  private final TestWeb web =
      new TestWeb(
          WebConfig.local(0),
          routes -> {
            new JobRoutes(fixture.service()).addTo(routes);
            new ExecRoutes(fixture.service(), fixture.engine, new ExecLimiter(LIMIT)).addTo(routes);
          },
          token -> Optional.ofNullable(callers.get(token)));

  @AfterEach
  void close() {
    web.close();
    fixture.close();
    db.close();
  }

  private Job submit(String file) throws Exception {
    assertThat(web.send("POST", "/api/v3/jobs", file, "Authorization", "Bearer alice").statusCode())
        .isEqualTo(201);
    return fixture.service().load(JobFixture.ALICE, "hello");
  }

  private Job submitAndAwaitRunning() throws Exception {
    return fixture.await(submit(JobFileText.named("hello")), JobState.RUNNING);
  }

  private ExecClient connect(String query) {
    return new ExecClient(web.url(), EXEC + query, true, "Authorization", "Bearer alice");
  }

  /** Connects, retrying because a slot is released only shortly after its command was closed. */
  private ExecClient connectOnceFree() {
    AtomicReference<ExecClient> client = new AtomicReference<>();
    JobFixture.eventually(
        () -> {
          try {
            client.set(connect(""));
            return true;
          } catch (java.util.concurrent.CompletionException rejected) {
            return false;
          }
        },
        "a free slot");
    return client.get();
  }

  private ScriptedExecution lastExecution() {
    return fixture.engine.executions().getLast();
  }

  @Test
  void exec_transfersStreamsAndExitCode() throws Exception {
    Job job = submitAndAwaitRunning();
    try (ExecClient client = connect("?command=cat&command=-%20a%26b%C3%BC")) {
      ScriptedExecution command = lastExecution();
      assertThat(command.task()).isEqualTo(fixture.task(job, 0));
      assertThat(command.request().command()).containsExactly("cat", "- a&bü");
      assertThat(command.request().terminal()).isEmpty();
      client.send(0, "one ");
      client.send(0, "two");
      client.send((byte) 255, (byte) 0);
      assertThat(new String(command.commandInput().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo("one two");
      command.print("to out");
      command.printError("to err");
      command.exit(7);
      assertThat(client.awaitClose()).isEqualTo(1000);
      assertThat(client.received(1)).isEqualTo("to out");
      assertThat(client.received(2)).isEqualTo("to err");
      assertThat(client.received(3)).isEqualTo("{\"exitCode\":7}");
    }
  }

  @Test
  void exec_withoutCommand_isShell() throws Exception {
    submitAndAwaitRunning();
    try (ExecClient client = connect("")) {
      assertThat(lastExecution().request().command()).startsWith("sh", "-c");
      assertThat(client.socket.isOutputClosed()).isFalse();
    }
  }

  @Test
  void exec_terminal_hasSizeAndIsResized() throws Exception {
    submitAndAwaitRunning();
    try (ExecClient client = connect("?columns=80&rows=24")) {
      assertThat(lastExecution().request().terminal()).contains(new TerminalSize(80, 24));
      client.send(4, "{\"columns\":100,\"rows\":50}");
      JobFixture.eventually(() -> !lastExecution().sizes().isEmpty(), "the new size");
      assertThat(lastExecution().sizes()).containsExactly(new TerminalSize(100, 50));
    }
  }

  @Test
  void exec_clientDisconnects_commandIsClosed() throws Exception {
    submitAndAwaitRunning();
    try (ExecClient client = connect("")) {
      ScriptedExecution command = lastExecution();
      client.socket.sendClose(1000, "").join();
      command.closed().join();
    }
    try (ExecClient client = connect("")) {
      ScriptedExecution command = lastExecution();
      client.socket.abort();
      command.closed().join();
    }
  }

  @Test
  void exec_invalidMessage_connectionIsClosed() throws Exception {
    submitAndAwaitRunning();
    for (byte[] nonsense :
        new byte[][] {{}, {9}, {1, 65}, {(byte) 255, 1}, {4, '{'}, {4, '{', '}', ' ', 'x'}}) {
      try (ExecClient client = connectOnceFree()) {
        client.send(nonsense);
        assertThat(client.awaitClose()).isEqualTo(1003);
        lastExecution().closed().join();
      }
    }
    try (ExecClient client = connectOnceFree()) {
      client.socket.sendText("ls", true).join();
      assertThat(client.awaitClose()).isEqualTo(1003);
      lastExecution().closed().join();
    }
  }

  @Test
  void exec_clientDoesNotRead_commandWaits() throws Exception {
    submitAndAwaitRunning();
    try (ExecClient client =
        new ExecClient(web.url(), EXEC, false, "Authorization", "Bearer alice")) {
      ScriptedExecution command = lastExecution();
      String line = "x".repeat(1 << 20);
      Thread printing =
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int i = 0; i < 1_024; i++) {
                      command.print(line);
                    }
                  });
      // Sockets buffer some megabytes; after that, no more data is transferred.
      JobFixture.eventually(() -> printing.getState() == Thread.State.WAITING, "the command waits");
      JobFixture.eventually(() -> isStalled(command), "no data transfer");
      assertThat(command.printedBytes()).isLessThan(64 << 20);
      client.socket.abort();
      command.closed().join();
    }
  }

  private static boolean isStalled(ScriptedExecution command) {
    long before = command.printedBytes();
    java.util.concurrent.locks.LockSupport.parkNanos(200_000_000);
    return command.printedBytes() == before;
  }

  @Test
  void exec_commandDoesNotRead_clientWaits() throws Exception {
    submitAndAwaitRunning();
    try (ExecClient client = connect("")) {
      ScriptedExecution command = lastExecution();
      byte[] message = new byte[32 << 10];
      var sent = new java.util.concurrent.atomic.AtomicLong();
      Thread.ofVirtual()
          .start(
              () -> {
                while (sent.get() < (1 << 30)) {
                  client.send(message);
                  sent.addAndGet(message.length);
                }
              });
      JobFixture.eventually(
          () -> {
            long before = sent.get();
            java.util.concurrent.locks.LockSupport.parkNanos(200_000_000);
            return before > 0 && sent.get() == before;
          },
          "no data transfer");
      assertThat(sent.get()).isLessThan(64 << 20);
      command.exit(0);
      assertThat(client.awaitClose()).isEqualTo(1000);
    }
  }

  @Test
  void exec_serverShutsDown() throws Exception {
    submitAndAwaitRunning();
    try (ExecClient client = connect("")) {
      ScriptedExecution command = lastExecution();
      web.close();
      command.closed().join();
      assertThat(client.awaitClose()).isIn(1001, 1006);
    }
  }

  @Test
  void exec_limitPerUser() throws Exception {
    submitAndAwaitRunning();
    try (ExecClient one = connect("");
        ExecClient two = connect("")) {
      RawUpgrade rejection = sendRejectedUpgrade("alice", EXEC);
      assertThat(rejection.status()).isEqualTo(429);
      try (ExecClient admin =
          new ExecClient(
              web.url(),
              EXEC.replace("hello", "alice~hello"),
              true,
              "Authorization",
              "Bearer admin")) {
        lastExecution().exit(0);
        assertThat(admin.awaitClose()).isEqualTo(1000);
      }
      fixture.engine.executions().getFirst().exit(0);
      assertThat(one.awaitClose()).isEqualTo(1000);
      assertThat(two.socket.isInputClosed()).isFalse();
      JobFixture.eventually(
          () -> {
            try (ExecClient three = connect("")) {
              return !three.socket.isOutputClosed();
            } catch (java.util.concurrent.CompletionException e) {
              return false;
            }
          },
          "a free slot");
    }
  }

  /** Requests a WebSocket as a client would, and reads the error response. */
  private RawUpgrade sendRejectedUpgrade(String who, String path) throws Exception {
    return RawUpgrade.send(web.url(), path, Map.of("Authorization", "Bearer " + who));
  }

  private void assertRefused(String who, String path, int status, String messageCode)
      throws Exception {
    RawUpgrade response = sendRejectedUpgrade(who, path);
    assertThat(response.status()).as(path).isEqualTo(status);
    assertThat(response.body()).contains("\"" + messageCode + "\"");
    assertThat(fixture.engine.executions()).isEmpty();
  }

  @Test
  void exec_readOnlyToken_isRejected() throws Exception {
    submitAndAwaitRunning();
    assertThat(sendRejectedUpgrade("reader", EXEC).status()).isEqualTo(403);
  }

  @Test
  void exec_invalidRequests_areRejected() throws Exception {
    submitAndAwaitRunning();
    assertRefused("nobody", EXEC, 401, "error.sign-in-required");
    assertRefused("bob", EXEC.replace("hello", "alice~hello"), 404, "error.no-such-job");
    assertRefused("alice", EXEC.replace("hello", "other"), 404, "error.no-such-job");
    assertRefused("alice", EXEC.replace("/-/-/", "/x/0/"), 404, "error.no-such-task");
    assertRefused("alice", EXEC.replace("/-/-/", "/-/7/"), 404, "error.no-such-task");
    assertRefused("alice", EXEC + "?columns=x", 400, "error.bad-query");
    assertRefused("alice", EXEC + "?columns=-1&rows=3", 400, "error.bad-query");
    assertRefused("alice", EXEC + "?command=a%00b", 400, "error.bad-query");
    HttpResponse<String> plain = web.get(EXEC, "Authorization", "Bearer alice");
    assertThat(plain.statusCode()).isEqualTo(400);
    assertThat(plain.body()).contains("error.websocket-only");
  }

  @Test
  void exec_severalTasks_mustBeNamed() throws Exception {
    fixture.await(submit(JobFileText.of("hello", "w", 2, 1, 0, "")), JobState.RUNNING);
    assertRefused("alice", EXEC, 400, "error.which-task");
    try (ExecClient client =
        new ExecClient(
            web.url(), EXEC.replace("/-/-/", "/w/1/"), true, "Authorization", "Bearer alice")) {
      assertThat(lastExecution().task().index()).isEqualTo(1);
      assertThat(client.socket.isOutputClosed()).isFalse();
    }
  }

  @Test
  void exec_jobNotRunning_isRejected() throws Exception {
    Job waiting = submit(JobFileText.of("hello", "w", 1, 100, 0, ""));
    assertThat(waiting.state()).isEqualTo(JobState.WAITING);
    assertRefused("alice", EXEC, 409, "error.exec-waiting");
    fixture.service().stop(JobFixture.ALICE, waiting);
    assertRefused("alice", EXEC, 409, "error.job-is-over");
  }

  @Test
  void exec_taskStopping_isRejected() throws Exception {
    fixture.service().stop(JobFixture.ALICE, submitAndAwaitRunning());
    assertRefused("alice", EXEC, 409, "error.exec-stopping");
  }

  @Test
  void exec_cookie_isAcceptedOnlyFromOwnOrigin() throws Exception {
    submitAndAwaitRunning();
    String origin = web.url().toString();
    assertCookie(Map.of("Cookie", "trainyard_session=alice"), 403);
    assertCookie(
        Map.of("Cookie", "trainyard_session=alice", "Origin", "https://evil.example"), 403);
    assertCookie(Map.of("Cookie", "trainyard_session=alice", "Origin", "null"), 403);
    assertCookie(
        Map.of(
            "Cookie", "trainyard_session=alice", "Origin", origin, "Sec-Fetch-Site", "cross-site"),
        403);
    assertThat(fixture.engine.executions()).isEmpty();
    assertCookie(Map.of("Cookie", "trainyard_session=alice", "Origin", origin), 101);
    assertCookie(Map.of("Cookie", "trainyard_session=other", "Origin", origin), 401);
  }

  private void assertCookie(Map<String, String> headers, int status) throws Exception {
    assertThat(RawUpgrade.send(web.url(), EXEC, headers).status()).isEqualTo(status);
  }
}
