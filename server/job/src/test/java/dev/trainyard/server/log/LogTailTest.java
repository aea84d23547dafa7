package dev.trainyard.server.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobState;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.FakeRequest;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.queue.JobFixture;
import dev.trainyard.server.work.Requester;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LogTailTest {
  private final Db db = TestDatabase.SQLITE.create();
  private final JobFixture fixture = new JobFixture(db).started();
  private final LogTail tail =
      new LogTail(fixture.logs, fixture.changes, fixture.service()::isFinished);
  private final FakeRequest.Table routes = new FakeRequest.Table();

  LogTailTest() {
    new LogRoutes(fixture.service(), fixture.logs, tail, new LogRemovalStore(db)).addTo(routes);
  }

  @AfterEach
  void close() {
    tail.close();
    fixture.close();
    db.close();
  }

  /** A client that stores the bytes it receives. */
  private static final class Client implements Reply.Sink {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private volatile boolean closed;
    private int pieces;

    @Override
    public synchronized void write(byte[] piece, int offset, int length) throws IOException {
      if (closed) {
        throw new IOException("gone");
      }
      bytes.write(piece, offset, length);
      pieces++;
    }

    @Override
    public boolean closed() {
      return closed;
    }

    synchronized int pieces() {
      return pieces;
    }

    synchronized String text() {
      return bytes.toString(StandardCharsets.ISO_8859_1);
    }
  }

  private FakeRequest request(Job job) {
    return request(JobFixture.ALICE, job);
  }

  private FakeRequest request(Caller caller, Job job) {
    return FakeRequest.by(caller)
        .path("job", job.id().value())
        .path("role", "-")
        .path("index", "-")
        .path("stream", "stdout");
  }

  private static final String ROUTE = "GET /api/v3/jobs/:job/logs/:role/:index/:stream";

  private String read(FakeRequest request) {
    Client client = new Client();
    stream(routes.call(ROUTE, request), client);
    return client.text();
  }

  private static void stream(Reply reply, Client client) {
    try {
      ((Reply.Stream) reply.body()).writeTo(client);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Caller administrator(int number) {
    return new Caller("admin-" + number, "admin-" + number, true, "t" + number);
  }

  private Thread follow(Job job, Client client) {
    return follow(JobFixture.ALICE, job, client);
  }

  private Thread follow(Caller caller, Job job, Client client) {
    Reply reply = routes.call(ROUTE, request(caller, job).query("follow", "true"));
    return Thread.ofVirtual()
        .start(
            () -> {
              try {
                stream(reply, client);
              } catch (UncheckedIOException e) {
                // The client has disconnected.
              }
            });
  }

  private Job running(String name) {
    return fixture.await(fixture.submit(JobFileText.named(name)), JobState.RUNNING);
  }

  @Test
  void read_offsets() {
    Job job = running("a");
    TaskId task = fixture.task(job, 0);
    assertThat(read(request(job))).isEmpty();
    fixture.engine.write(task, false, "0123456789");
    fixture.engine.write(task, true, "error");
    assertThat(read(request(job))).isEqualTo("0123456789");
    assertThat(read(request(job).path("stream", "stderr"))).isEqualTo("error");
    assertThat(read(request(job).query("offset", "4").query("limit", "3"))).isEqualTo("456");
    assertThat(read(request(job).query("offset", "-3"))).isEqualTo("789");
    assertThat(read(request(job).query("offset", "-30"))).isEqualTo("0123456789");
    assertThat(read(request(job).query("offset", "99"))).isEmpty();
    assertThat(routes.call(ROUTE, request(job).query("offset", "-3")).headers())
        .containsEntry("X-Log-Offset", "7");
  }

  @Test
  void read_unreadableFile_rejectedBeforeTheResponseStarts() throws IOException {
    Job job = running("a");
    fixture.engine.write(fixture.task(job, 0), false, "0123456789");
    // Simulates a file to which a task has revoked the access of a server that is not root.
    Path log = fixture.logs.directory(fixture.task(job, 0)).resolve("stdout");
    Files.delete(log);
    Files.createSymbolicLink(log, Path.of("stderr"));
    for (String route : List.of(ROUTE, ROUTE + "/lines", ROUTE + "/matches")) {
      assertThatThrownBy(() -> routes.call(route, request(job).query("follow", "true")))
          .isInstanceOf(AppException.class)
          .extracting("code")
          .isEqualTo(ErrorCode.CONFLICT);
    }
  }

  @Test
  void follow_fromBeforeStartToEnd() throws InterruptedException {
    Job blocking = running("a");
    Job job = fixture.submit(JobFileText.of("b", "m", 1, 8, 0, ""));
    Client client = new Client();
    Thread follower = follow(job, client);
    fixture.engine.finish(fixture.task(blocking, 0), 0);
    fixture.await(job, JobState.RUNNING);
    TaskId task = fixture.task(job, 0);
    fixture.engine.write(task, false, "10%\r20%\r");
    JobFixture.eventually(() -> client.text().equals("10%\r20%\r"), "the first bytes");
    String line = "x".repeat(1 << 20) + "\u0000\u0001";
    fixture.engine.write(task, false, line);
    JobFixture.eventually(() -> client.text().length() == 8 + line.length(), "a long line");
    assertThat(follower.isAlive()).isTrue();
    fixture.engine.write(task, false, "end");
    fixture.engine.finish(task, 0);
    follower.join();
    assertThat(client.text()).isEqualTo("10%\r20%\r" + line + "end");
    assertThat(tail.watchedDirectoryCount()).isZero();
    assertThat(fixture.changes.watchedJobCount()).isZero();
  }

  @Test
  void follow_jobStoppedWhileWaiting() throws InterruptedException {
    fixture.await(fixture.submit(JobFileText.of("a", "m", 1, 8, 0, "")), JobState.RUNNING);
    Job job = fixture.submit(JobFileText.named("b"));
    Thread follower = follow(job, new Client());
    JobFixture.eventually(() -> fixture.changes.watchedJobCount() > 0, "the follower");
    fixture.service().stop(JobFixture.ALICE, job);
    follower.join();
  }

  @Test
  void follow_manyClients_oneDisconnects() throws InterruptedException {
    Job job = running("a");
    TaskId task = fixture.task(job, 0);
    fixture.engine.write(task, false, "1");
    List<Client> clients = new ArrayList<>();
    List<Thread> followers = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      clients.add(new Client());
      followers.add(follow(administrator(i / 250), job, clients.getLast()));
    }
    JobFixture.eventually(
        () -> clients.stream().allMatch(client -> client.text().equals("1")), "all to have it");
    JobFixture.eventually(() -> tail.watchedDirectoryCount() == 1, "one watch for all");
    clients.getFirst().closed = true;
    fixture.engine.write(task, false, "2");
    followers.getFirst().join();
    JobFixture.eventually(
        () -> clients.stream().skip(1).allMatch(client -> client.text().equals("12")),
        "more bytes at all other clients");
    fixture.engine.finish(task, 0);
    for (Thread follower : followers) {
      follower.join();
    }
    assertThat(tail.watchedDirectoryCount()).isZero();
    assertThat(fixture.changes.watchedJobCount()).isZero();
  }

  @Test
  void follow_userHasTooMany_rejectedUntilOneEnds() throws InterruptedException {
    Job job = running("a");
    List<Client> clients = new ArrayList<>();
    List<Thread> followers = new ArrayList<>();
    for (int i = 0; i < LogFollowers.MAX_PER_USER; i++) {
      clients.add(new Client());
      followers.add(follow(job, clients.getLast()));
    }
    JobFixture.eventually(() -> tail.followerCount() == followers.size(), "all followers");
    assertThatThrownBy(() -> follow(job, new Client()))
        .isInstanceOf(AppException.class)
        .extracting("code")
        .isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
    Client other = new Client();
    Thread otherFollower = follow(administrator(1), job, other);
    fixture.engine.write(fixture.task(job, 0), false, "1");
    JobFixture.eventually(() -> other.text().equals("1"), "the bytes at another user");
    JobFixture.eventually(() -> clients.getFirst().text().equals("1"), "the bytes at alice");
    clients.getFirst().closed = true;
    fixture.engine.write(fixture.task(job, 0), false, "2");
    followers.getFirst().join();
    Thread next = follow(job, new Client());
    fixture.engine.finish(fixture.task(job, 0), 0);
    next.join();
    otherFollower.join();
    for (Thread follower : followers) {
      follower.join();
    }
    assertThat(tail.followerCount()).isZero();
  }

  @Test
  void follow_responsesNotBegun_countAndAreReleasedAtTheEndOfTheRequest() {
    Job job = running("a");
    FakeRequest request = request(job).query("follow", "true");
    List<Requester> requesters = new ArrayList<>();
    List<Reply> replies = new ArrayList<>();
    for (int i = 0; i < LogFollowers.MAX_PER_USER; i++) {
      requesters.add(new Requester(() -> "alice"));
      requesters.getLast().run(() -> replies.add(routes.call(ROUTE, request)));
    }
    assertThatThrownBy(() -> routes.call(ROUTE, request))
        .isInstanceOf(AppException.class)
        .extracting("code")
        .isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
    requesters.forEach(Requester::end);
    assertThat(tail.followerCount()).isZero();
    assertThatThrownBy(() -> stream(replies.getFirst(), new Client()))
        .isInstanceOf(UncheckedIOException.class);
    assertThat(tail.followerCount()).isZero();
  }

  @Test
  void follow_manyFollowersOfABusyLog_readRarely() throws InterruptedException {
    Job job = running("a");
    TaskId task = fixture.task(job, 0);
    List<Client> clients = new ArrayList<>();
    List<Thread> followers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      clients.add(new Client());
      followers.add(follow(job, clients.getLast()));
    }
    JobFixture.eventually(() -> tail.followerCount() == followers.size(), "all followers");
    long startNanos = System.nanoTime();
    int lines = 0;
    while (System.nanoTime() - startNanos < Duration.ofSeconds(1).toNanos()) {
      fixture.engine.write(task, false, "x");
      lines++;
      Thread.sleep(2);
    }
    fixture.engine.finish(task, 0);
    for (Thread follower : followers) {
      follower.join();
    }
    String written = "x".repeat(lines);
    assertThat(lines).isGreaterThan(50);
    assertThat(clients)
        .allSatisfy(
            client -> {
              assertThat(client.text()).isEqualTo(written);
              assertThat(client.pieces()).isLessThan(20);
            });
  }

  @Test
  void directory_roleInvalidAsFileName() {
    Job job = running("a");
    assertThat(fixture.logs.directory(new TaskId(job.id(), 1, "..", 0)).normalize())
        .isEqualTo(fixture.logs.directory(new TaskId(job.id(), 1, "..", 0)))
        .startsWithRaw(fixture.data.resolve("logs").resolve(job.id().value()));
  }
}
