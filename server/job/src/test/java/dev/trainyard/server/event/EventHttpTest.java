package dev.trainyard.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.JobState;
import dev.trainyard.server.db.Databases;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.http.WebConfig;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.queue.JobFixture;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests events over a real connection. */
class EventHttpTest {
  private static final Caller BOB = new Caller("u2", "bob", false, "t2");
  private static final Caller ADMIN = new Caller("u0", "admin", true, "t0");

  private final Map<String, Caller> callers =
      new ConcurrentHashMap<>(Map.of("alice", JobFixture.ALICE, "bob", BOB, "admin", ADMIN));
  private final String database = TestDatabase.SQLITE.createUrl();
  private final Db db = Databases.open(database, Path.of("unused"));
  private final JobFixture fixture = new JobFixture(db).started();
  private final List<EventServer> eventServers = new ArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();
  private EventServer eventServer = new EventServer(db);

  /** One run of the part of a server that serves events. */
  private final class EventServer implements AutoCloseable {
    private final EventFeed feed;
    private final TestWeb web;

    EventServer(Db itsDb) {
      EventStore store = new EventStore();
      feed = new EventFeed(itsDb, store);
      feed.start();
      fixture.changes.subscribeToAll(feed::eventsWritten);
      var routes =
          new EventRoutes(
              itsDb,
              store,
              feed,
              (caller, job) -> fixture.service().load(caller, job).id(),
              fixture.service()::mayStillView,
              Duration.ofMillis(50));
      web =
          new TestWeb(
              WebConfig.local(0), routes::addTo, token -> Optional.ofNullable(callers.get(token)));
      eventServers.add(this);
    }

    @Override
    public void close() {
      web.close();
      feed.close();
    }
  }

  @AfterEach
  void close() {
    client.shutdownNow();
    eventServers.forEach(EventServer::close);
    fixture.close();
    db.close();
  }

  /** A stream as a client sees it. */
  private final class Client implements AutoCloseable {
    private final HttpResponse<InputStream> response;
    private final BufferedReader lines;
    private String lastId = "";

    Client(String who, String query, String... headers) throws Exception {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(eventServer.web.url().resolve("/api/v3/events" + query))
              .header("Authorization", "Bearer " + who);
      if (headers.length > 0) {
        request.headers(headers);
      }
      response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    /**
     * Returns the next event, or another message such as a reset; null at the end of the stream.
     */
    JsonNode next() throws IOException {
      JsonNode data = null;
      String name = "";
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("id: ")) {
          lastId = line.substring(4);
        } else if (line.startsWith("event: ")) {
          name = line.substring(7);
        } else if (line.startsWith("data: ")) {
          data = Json.MAPPER.readTree(line.substring(6));
        } else if (line.isEmpty() && data != null) {
          return name.isEmpty() ? data : Json.MAPPER.readTree("{\"type\":\"" + name + "\"}");
        }
      }
      return null;
    }

    String nextType() throws IOException {
      return next().get("type").asText();
    }

    @Override
    public void close() throws IOException {
      response.body().close();
    }
  }

  private Job run(String name, Caller caller) {
    Job job = fixture.service().submit(caller, JobFileText.named(name), false).job();
    return fixture.await(job, JobState.RUNNING);
  }

  private void finish(Job job) {
    fixture.engine.finish(fixture.task(job, 0), 0);
    fixture.await(job, JobState.SUCCEEDED);
  }

  @Test
  void stream_historyAndLiveEvents_areContiguous() throws Exception {
    Job job = run("a", JobFixture.ALICE);
    try (Client stream = new Client("alice", "?after=0")) {
      assertThat(stream.response.headers().firstValue("Content-Type").orElseThrow())
          .startsWith("text/event-stream");
      JsonNode first = stream.next();
      assertThat(first.get("type").asText()).isEqualTo("SUBMITTED");
      assertThat(first.get("job").asText()).isEqualTo(job.id().value());
      assertThat(first.get("user").asText()).isEqualTo("alice");
      assertThat(first.get("name").asText()).isEqualTo("a");
      assertThat(first.get("message").asText()).isEqualTo("submitted by alice");
      assertThat(first.get("code").asText()).isEqualTo("event.submitted");
      assertThat(stream.lastId).isEqualTo(first.get("id").asText());
      assertThat(stream.nextType()).isEqualTo("PREPARING");
      assertThat(stream.nextType()).isEqualTo("RUNNING");
      finish(job);
      assertThat(stream.nextType()).isEqualTo("SUCCEEDED");
    }
  }

  @Test
  void stream_withoutPosition_startsNow() throws Exception {
    finish(run("a", JobFixture.ALICE));
    try (Client stream = new Client("alice", "")) {
      run("b", JobFixture.ALICE);
      assertThat(stream.next().get("name").asText()).isEqualTo("b");
    }
  }

  @Test
  void stream_jobsOfOthers_areVisibleOnlyToAdministrators() throws Exception {
    run("mine", JobFixture.ALICE);
    try (Client bob = new Client("bob", "?after=0");
        Client admin = new Client("admin", "?after=0")) {
      Job his = run("his", BOB);
      for (String type : List.of("SUBMITTED", "PREPARING", "RUNNING")) {
        JsonNode event = bob.next();
        assertThat(event.get("name").asText()).isEqualTo("his");
        assertThat(event.get("type").asText()).isEqualTo(type);
      }
      List<String> names = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        names.add(admin.next().get("name").asText());
      }
      assertThat(names).containsExactly("mine", "mine", "mine", "his", "his", "his");
      assertThat(get("alice", "/api/v3/jobs/bob~his/events").statusCode()).isEqualTo(404);
      assertThat(get("alice", "/api/v3/events?job=" + his.id().value()).statusCode())
          .isEqualTo(404);
    }
  }

  @Test
  void stream_deletion_isSentToUsersWhoCouldSeeTheJob() throws Exception {
    Job job = run("a", JobFixture.ALICE);
    finish(job);
    try (Client alice = new Client("alice", "?job=a");
        Client bob = new Client("bob", "")) {
      Job over = fixture.await(job, JobState.SUCCEEDED);
      fixture.service().delete(ADMIN, over);
      JsonNode event = alice.next();
      assertThat(event.get("type").asText()).isEqualTo("DELETED");
      assertThat(event.get("name").asText()).isEqualTo("a");
      assertThat(event.get("message").asText()).isEqualTo("deleted by admin");
      run("b", BOB);
      assertThat(bob.next().get("name").asText()).isEqualTo("b");
    }
    // Later subscribers receive it too, at its position among the other events.
    try (Client alice = new Client("alice", "?after=0")) {
      assertThat(alice.nextType()).isEqualTo("DELETED");
      run("c", JobFixture.ALICE);
      assertThat(alice.next().get("name").asText()).isEqualTo("c");
    }
  }

  @Test
  void stream_tooManyConcurrent_areRejected() throws Exception {
    List<Client> open = new ArrayList<>();
    Callable<Client> opening = () -> new Client("alice", "");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Client> opened : threads.invokeAll(Collections.nCopies(80, opening))) {
        open.add(opened.get());
      }
    }
    int living = 0;
    for (Client stream : open) {
      boolean streamStarted = false;
      try {
        streamStarted = stream.response.statusCode() == 200 && stream.lines.readLine() != null;
      } catch (IOException e) {
        streamStarted = false; // disconnected because the limit is exceeded
      }
      living += streamStarted ? 1 : 0;
    }
    assertThat(living).isEqualTo(50);
    for (Client stream : open) {
      stream.close();
    }
  }

  @Test
  void stream_ofOneJob() throws Exception {
    Job one = run("one", JobFixture.ALICE);
    Job two = run("two", JobFixture.ALICE);
    try (Client stream = new Client("alice", "?after=0&job=two")) {
      finish(one);
      finish(two);
      for (String type : List.of("SUBMITTED", "PREPARING", "RUNNING", "SUCCEEDED")) {
        JsonNode event = stream.next();
        assertThat(event.get("name").asText()).isEqualTo("two");
        assertThat(event.get("type").asText()).isEqualTo(type);
      }
    }
  }

  @Test
  void stream_resumedAfterRestart_hasNoGapOrDuplicate() throws Exception {
    List<Long> seen = new ArrayList<>();
    Job job = run("a", JobFixture.ALICE);
    String last;
    try (Client stream = new Client("alice", "?after=0")) {
      seen.add(stream.next().get("id").asLong());
      seen.add(stream.next().get("id").asLong());
      last = stream.lastId;
    }
    eventServer.close();
    finish(job);
    run("b", JobFixture.ALICE);
    try (Db reopened = Databases.open(database, Path.of("unused"))) {
      eventServer = new EventServer(reopened);
      try (Client stream = new Client("alice", "?after=0", "Last-Event-ID", last)) {
        for (int i = 0; i < 5; i++) {
          seen.add(stream.next().get("id").asLong());
        }
      }
      eventServer.close();
    }
    assertThat(seen).isEqualTo(storedEventIds()).isSorted().hasSize(7);
  }

  private List<Long> storedEventIds() {
    return db.read(
        handle -> handle.createQuery("select id from event order by id").mapTo(Long.class).list());
  }

  @Test
  void stream_withoutEvents_positionAdvances() throws Exception {
    try (Client bob = new Client("bob", "")) {
      Job job = run("a", JobFixture.ALICE);
      finish(job);
      long newest = storedEventIds().getLast();
      while (!bob.lastId.equals(String.valueOf(newest))) {
        String line = bob.lines.readLine();
        assertThat(line).as("the stream has not ended").isNotNull();
        assertThat(line).doesNotStartWith("data");
        bob.lastId = line.startsWith("id: ") ? line.substring(4) : bob.lastId;
      }
    }
  }

  @Test
  void stream_futurePosition_isReset() throws Exception {
    run("a", JobFixture.ALICE);
    try (Client stream = new Client("alice", "", "Last-Event-ID", "999999")) {
      assertThat(stream.nextType()).isEqualTo("reset");
      assertThat(stream.lastId).isEqualTo("3");
    }
  }

  @Test
  void stream_sessionEnded_closed() throws Exception {
    try (Client stream = new Client("bob", "")) {
      JobFixture.eventually(() -> eventServer.feed.subscribers() == 1, "the follower");
      callers.remove("bob");
      assertThat(stream.next()).isNull();
    }
    JobFixture.eventually(() -> eventServer.feed.subscribers() == 0, "no follower");
  }

  @Test
  void page_newestFirst() throws Exception {
    finish(run("a", JobFixture.ALICE));
    JsonNode page = TestWeb.json(get("alice", "/api/v3/jobs/a/events?limit=3"));
    assertThat(page.get("events")).hasSize(3);
    assertThat(page.at("/events/0/type").asText()).isEqualTo("SUCCEEDED");
    JsonNode rest =
        TestWeb.json(get("alice", "/api/v3/jobs/a/events?limit=3&after=" + page.get("next")));
    assertThat(rest.get("events")).hasSize(1);
    assertThat(rest.at("/events/0/type").asText()).isEqualTo("SUBMITTED");
    assertThat(rest.has("next")).isFalse();
    assertThat(TestWeb.json(get("admin", "/api/v3/events")).get("events")).hasSize(4);
    assertThat(TestWeb.json(get("bob", "/api/v3/events")).get("events")).isEmpty();
  }

  @Test
  void invalidRequests_rejected() throws Exception {
    assertThat(get("nobody", "/api/v3/events").statusCode()).isEqualTo(401);
    assertThat(get("bob", "/api/v3/jobs/none/events").statusCode()).isEqualTo(404);
    for (String query : List.of("?after=x", "?limit=0", "?limit=501", "?after=-1")) {
      assertThat(get("bob", "/api/v3/events" + query).statusCode()).as(query).isEqualTo(400);
    }
    for (String id : List.of("x", "-1", "99999999999999999999")) {
      HttpResponse<String> rejected =
          eventServer.web.get("/api/v3/events", "Authorization", "Bearer bob", "Last-Event-ID", id);
      assertThat(rejected.statusCode()).as(id).isEqualTo(400);
    }
  }

  private HttpResponse<String> get(String who, String path) throws Exception {
    return eventServer.web.get(
        path, "Authorization", "Bearer " + who, "Accept", "application/json");
  }
}
