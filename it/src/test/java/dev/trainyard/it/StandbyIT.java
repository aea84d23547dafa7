package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two real servers use one PostgreSQL; one server is the leader and the other is on standby.
 *
 * <p>Every server connects to PostgreSQL through its own proxy. Before a test pauses the leader,
 * the proxy delays the checks of the lease for several writes. The leader has already started these
 * writes because its lease had not expired. PostgreSQL receives the checks after the standby has
 * acquired the lease, and the old leader cannot renew its lease. So only the comparison of the
 * epoch in {@code Lease.enter} can reject these writes. Without this comparison, {@link
 * #leader_stoppedContinuedAndKilled_everyJobRunsOnce} fails in its first round because the replaced
 * leader responds with 201.
 */
class StandbyIT extends NeedsSandbox {
  private static final int ROUNDS = 10;
  private static final int JOBS = 200;

  /** Number of submissions to a leader before it is paused. */
  private static final int DELAYED_SUBMISSIONS = 5;

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path directory;
  private Path data;
  private Database.Running postgres;
  private final List<Server> servers = new ArrayList<>();
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private volatile Server leader;

  @BeforeEach
  void startPostgres() {
    data = directory.resolve("data");
    postgres = Database.POSTGRES.open(data);
  }

  @AfterEach
  void stopAll() throws Exception {
    for (Server server : servers) {
      server.process.destroyForcibly().waitFor();
      server.proxy.close();
    }
    if (postgres != null) {
      postgres.close();
    }
  }

  /** A process of the real jar with its output files. */
  private record Server(Process process, LeaseProxy proxy, Path out, Path err) {
    /**
     * Returns the URL of the server after a text in its output; empty while the output does not
     * contain it.
     */
    String url(Path log, String before) throws IOException {
      for (String line : Files.readAllLines(log)) {
        int at = line.indexOf(before);
        if (at >= 0) {
          return line.substring(at + before.length()).replaceAll("[; ].*", "");
        }
      }
      return "";
    }

    String ready() throws IOException {
      return url(out, "Trainyard is ready at ");
    }

    String standby() throws IOException {
      return url(err, "on standby at ");
    }
  }

  private Server start(Path dataDirectory, String... extraOptions) throws IOException {
    List<String> options = new ArrayList<>(List.of("up", "--port", "0", "--data"));
    options.add(dataDirectory.toString());
    LeaseProxy proxy = new LeaseProxy(postgres.options().getLast());
    options.addAll(List.of("--db", proxy.url()));
    options.addAll(List.of(extraOptions));
    options.addAll(List.of("--engine", "process", "--rate-limit-submit", "off", "--lang", "en"));
    Path out = directory.resolve("server-" + servers.size() + ".out");
    Path err = directory.resolve("server-" + servers.size() + ".err");
    Process process =
        new ProcessBuilder(Trainyard.commandLine(options.toArray(String[]::new)))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    Server server = new Server(process, proxy, out, err);
    servers.add(server);
    return server;
  }

  private Server startLeader() throws Exception {
    Server server = start(data);
    eventually(server, () -> !getQuietly(server::ready).isEmpty());
    return server;
  }

  private Server startStandby() throws Exception {
    Server server = start(data, "--standby");
    eventually(server, () -> !getQuietly(server::standby).isEmpty());
    return server;
  }

  private interface Query {
    String get() throws Exception;
  }

  private static String getQuietly(Query query) {
    try {
      return query.get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void eventually(Server server, BooleanSupplier condition) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end || !server.process.isAlive()) {
        throw new AssertionError("timed out: " + Files.readString(server.err));
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private static void signal(Server server, String name) throws Exception {
    Process kill =
        new ProcessBuilder("kill", "-" + name, String.valueOf(server.process.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  private long epoch() {
    try (Connection connection = DriverManager.getConnection(postgres.options().getLast());
        var statement = connection.createStatement();
        var rows = statement.executeQuery("select epoch from server_lease")) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static HttpRequest request(
      String url, String method, String path, String body, String token) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(Duration.ofSeconds(60))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return request.build();
  }

  private String token() throws IOException {
    return Files.readString(data.resolve("local-token")).strip();
  }

  private static HttpResponse<String> send(HttpRequest request) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void up_withoutStandby_reportsTheLeaderAndExits() throws Exception {
    Server first = startLeader();
    Server second = start(directory.resolve("other"));
    assertThat(second.process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(second.process.exitValue()).isEqualTo(1);
    assertThat(Files.readString(second.err))
        .contains("this database already has a leader", first.ready(), "--standby")
        .doesNotContain("\tat ");
    assertThat(directory.resolve("other/installation")).doesNotExist();
    Server rejected = start(directory.resolve("other"), "--standby");
    assertThat(rejected.process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(Files.readString(rejected.err)).contains("belongs to another installation");
    Path copy = Files.createDirectory(directory.resolve("copy"));
    Files.copy(data.resolve("installation"), copy.resolve("installation"));
    Server copied = start(copy, "--standby");
    assertThat(copied.process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(Files.readString(copied.err)).contains("another one or a copy");
  }

  @Test
  void standby_servesOnlyHealthChecks() throws Exception {
    startLeader();
    Server standby = startStandby();
    assertThat(send(request(standby.standby(), "GET", "/livez", "", "")).statusCode())
        .isEqualTo(200);
    var health = send(request(standby.standby(), "GET", "/healthz", "", ""));
    assertThat(health.statusCode()).isEqualTo(503);
    JsonNode view = Trainyard.JSON.readTree(health.body());
    assertThat(view.path("status").asText()).isEqualTo("failing");
    assertThat(view.path("failing").asText()).isEqualTo("standby");
    var job =
        send(
            request(
                standby.standby(), "POST", "/api/v3/jobs", Trainyard.job("x", "true"), token()));
    assertThat(job.statusCode()).isEqualTo(503);
    assertThat(job.body()).contains("error.standby");
  }

  @Test
  @Tag("long")
  void leader_stoppedContinuedAndKilled_everyJobRunsOnce() throws Exception {
    leader = startLeader();
    Server standby = startStandby();
    Thread submitting = Thread.ofPlatform().start(this::submitAll);
    for (int round = 0; round < ROUNDS; round++) {
      Server before = leader;
      if (round % 2 == 0) {
        pauseUntilReplaced(before, round);
      } else {
        signal(before, "KILL");
      }
      Server next = standby;
      eventually(next, () -> !getQuietly(next::ready).isEmpty());
      leader = next;
      assertThat(before.process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      standby = startStandby();
    }
    assertThat(submitting.join(PATIENCE)).isTrue();
    checkJobs();
  }

  /**
   * Suspends the leader until the standby has the lease. The leader must reject the submissions
   * that it received earlier, because PostgreSQL received their statements too late.
   */
  private void pauseUntilReplaced(Server before, int round) throws Exception {
    long epoch = epoch();
    before.proxy.delay();
    try (HttpClient client = HttpClient.newHttpClient()) {
      List<CompletableFuture<Integer>> lateResponses = new ArrayList<>();
      for (int i = 0; i < DELAYED_SUBMISSIONS; i++) {
        String job = Trainyard.job("late-" + round + "-" + i, "echo late-" + round + "-" + i);
        lateResponses.add(
            client
                .sendAsync(
                    request(before.ready(), "POST", "/api/v3/jobs", job, token()),
                    HttpResponse.BodyHandlers.discarding())
                .handle((response, failure) -> failure == null ? response.statusCode() : 0));
      }
      // On a slow host, the lease may expire first.
      eventually(
          before, () -> before.proxy.delayedChecks() >= DELAYED_SUBMISSIONS || epoch() > epoch);
      signal(before, "STOP");
      eventually(before, () -> epoch() > epoch);
      signal(before, "CONT");
      before.proxy.passChecks();
      for (CompletableFuture<Integer> response : lateResponses) {
        assertThat(response.get(2, TimeUnit.MINUTES))
            .as("response of a replaced leader")
            .isNotEqualTo(201);
      }
    }
  }

  /**
   * Submits jobs to the current leader until enough jobs are acknowledged. A job whose request
   * failed may have been stored nevertheless, so the next job has another name.
   */
  private void submitAll() {
    for (int i = 0; acknowledged.size() < JOBS; i++) {
      String name = "job-" + i;
      String job = Trainyard.job(name, "sleep 0.3; echo " + name + " >> /userhome/ran");
      try {
        var response = send(request(leader.ready(), "POST", "/api/v3/jobs", job, token()));
        if (response.statusCode() == 201) {
          acknowledged.add(name);
        }
      } catch (Exception e) {
        // The leader was killed or is suspended.
      }
      try {
        TimeUnit.MILLISECONDS.sleep(400);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void checkJobs() throws Exception {
    String url = leader.ready();
    Map<String, String> states = new HashMap<>();
    eventually(
        leader,
        () -> {
          JsonNode list =
              json(() -> send(request(url, "GET", "/api/v3/jobs?limit=500", "", token())).body());
          states.clear();
          list.path("jobs")
              .forEach(job -> states.put(job.path("name").asText(), job.path("state").asText()));
          return states.size() >= acknowledged.size()
              && states.values().stream().allMatch(Set.of("SUCCEEDED", "FAILED")::contains);
        });
    assertThat(states.keySet()).containsAll(acknowledged);
    assertThat(states.keySet()).noneMatch(name -> name.startsWith("late-"));
    assertThat(new HashSet<>(states.values())).isEqualTo(Set.of("SUCCEEDED"));
    List<String> ran = Files.readAllLines(data.resolve("home/admin/ran"));
    for (String name : states.keySet()) {
      assertThat(Collections.frequency(ran, name)).as(name).isEqualTo(1);
    }
    assertThat(ran).hasSize(states.size());
  }

  private static JsonNode json(Query query) {
    try {
      return Trainyard.JSON.readTree(getQuietly(query));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
