package dev.trainyard.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.trainyard.engine.testkit.ScriptedEngine;
import dev.trainyard.scheduler.FifoPlanner;
import dev.trainyard.server.config.SettingsReader;
import dev.trainyard.server.feature.JobFeature;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.queue.JobFixture;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Expensive requests of one user or of unauthenticated clients do not delay the requests of other
 * users.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Isolated("measures response times of a server in this JVM")
class FairnessTest {
  private static final int PENDING = 10;
  private static final int MOST_LINKS = 30_000;
  private static final Duration MOST = Duration.ofSeconds(2);
  private static final String PASSWORD = "a-good-password";

  /** Common prefix of the names of the carrier threads, which run virtual threads. */
  private static final String CARRIERS = "ForkJoinPool-";

  @TempDir static Path directory;

  private final HttpClient client = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();
  private Path data;
  private Server server;
  private String alice;
  private String bob;

  /** Kinds of requests that use much CPU time or disk I/O. */
  enum Kind {
    LOG_SEARCH,
    PORT_LABELS,
    ZIP_OF_SPARSE_FILE,
    TAR_OF_SPARSE_FILE,
    SIGN_IN,
    CHECK,
    SUBMISSION,
    DELETION,
    LISTING,
    USAGE,
    CSV,
    OPENPAI_DETAIL,
    OPENPAI_EVENTS,
    NAME_PREFIX,
    KEYWORD_COUNT,
    BATCH
  }

  @BeforeAll
  void start() throws Exception {
    data = directory.resolve("data");
    var settings = SettingsReader.read(Map.of("data", data.toString(), "port", "0"), Map.of());
    // Without nodes, no task starts, so all jobs wait.
    server =
        Server.start(
            settings,
            Optional.of(PASSWORD),
            List.of(
                foundation ->
                    new JobFeature(foundation, new ScriptedEngine(List.of()), new FifoPlanner())));
    String admin = Files.readString(data.resolve("local-token")).strip();
    alice = user(admin, "alice");
    bob = user(admin, "bob");
  }

  @AfterAll
  void stop() {
    client.shutdownNow();
    server.close();
  }

  private String user(String admin, String name) throws Exception {
    String body = "{\"name\": \"%s\", \"password\": \"%s\"}".formatted(name, PASSWORD);
    assertThat(send(admin, "POST", "/api/v3/users", body).statusCode()).isEqualTo(201);
    String signIn = "{\"user\": \"%s\", \"password\": \"%s\"}".formatted(name, PASSWORD);
    return json.readTree(send("", "POST", "/api/v3/sessions", signIn).body()).get("token").asText();
  }

  private HttpRequest request(String token, String method, String path, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.url().resolve(path))
            .timeout(Duration.ofMinutes(2))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    return (token.isEmpty() ? request : request.header("Authorization", "Bearer " + token)).build();
  }

  private HttpResponse<String> send(String token, String method, String path, String body)
      throws Exception {
    return client.send(request(token, method, path, body), HttpResponse.BodyHandlers.ofString());
  }

  /** Submits a job of alice, which waits; returns its ID. */
  private String job(String file) throws Exception {
    return json.readTree(send(alice, "POST", "/api/v3/jobs", file).body()).path("id").asText();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void others_whileExpensiveRequestsArePending_areAnswered(Kind kind) throws Exception {
    List<HttpRequest> requests = prepareRequests(kind);
    Map<Long, Long> cpuTimesBefore = cpuTimes(pool(kind));
    Map<Long, Long> carrierTimesBefore = cpuTimes(CARRIERS);
    List<CompletableFuture<?>> pending = new ArrayList<>();
    Queue<Integer> statuses = new ConcurrentLinkedQueue<>();
    for (HttpRequest one : requests) {
      pending.add(
          client.sendAsync(
              one,
              info -> {
                statuses.add(info.statusCode());
                return HttpResponse.BodySubscribers.discarding();
              }));
    }
    String pool = pool(kind);
    boolean hasWorked = false; // checked repeatedly, because an idle thread ends after some seconds
    try {
      for (int round = 0; round < 5; round++) {
        hasWorked |= work(pool, cpuTimesBefore) > 0;
        assertAnswered("", "/livez");
        assertAnswered(bob, "/api/v3/jobs");
      }
      // Check the statuses, because a request that was rejected early would not have been
      // expensive.
      JobFixture.eventually(() -> !statuses.isEmpty(), "a response to an expensive request");
      assertThat(statuses).isSubsetOf(expectedStatuses(kind));
      // Check the pool, because on a fast host the response times alone would not show that the
      // work ran on other threads.
      if (!hasWorked) {
        JobFixture.eventually(() -> work(pool, cpuTimesBefore) > 0, "work in the pool " + pool);
      }
      if (kind == Kind.OPENPAI_DETAIL) {
        pending.forEach(FairnessTest::awaitEnd);
        assertThat(cpuTimes(CARRIERS)).isNotEmpty();
        assertThat(work(CARRIERS, carrierTimesBefore)).isLessThan(work(pool, cpuTimesBefore));
      }
    } finally {
      pending.forEach(one -> one.cancel(true));
    }
  }

  /** Returns the name prefix of the threads that must do the work of the requests. */
  private static String pool(Kind kind) {
    return switch (kind) {
      case SIGN_IN -> "hashing";
      case PORT_LABELS, CHECK, SUBMISSION, CSV, OPENPAI_DETAIL -> "parsing";
      case OPENPAI_EVENTS, NAME_PREFIX, BATCH -> "short parsing";
      case KEYWORD_COUNT -> "counting";
      case LOG_SEARCH, ZIP_OF_SPARSE_FILE, TAR_OF_SPARSE_FILE, LISTING, USAGE -> "files";
      // The thread for deletions; the pool "files" is used only if a directory cannot be moved.
      case DELETION -> "deletion";
    };
  }

  /** Returns the CPU time of each thread of a pool in nanoseconds, by thread ID. */
  private static Map<Long, Long> cpuTimes(String pool) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
        .filter(thread -> thread != null && thread.getThreadName().startsWith(pool))
        .map(ThreadInfo::getThreadId)
        .collect(Collectors.toMap(id -> id, threads::getThreadCpuTime));
  }

  /**
   * Returns the CPU time that the existing threads of a pool have used since {@code
   * cpuTimesBefore}.
   */
  private static long work(String pool, Map<Long, Long> cpuTimesBefore) {
    return cpuTimes(pool).entrySet().stream()
        .mapToLong(thread -> thread.getValue() - cpuTimesBefore.getOrDefault(thread.getKey(), 0L))
        .sum();
  }

  private static void awaitEnd(CompletableFuture<?> response) {
    response.handle((_, _) -> null).join();
  }

  private static List<Integer> expectedStatuses(Kind kind) {
    return switch (kind) {
      case PORT_LABELS -> List.of(403);
      case SIGN_IN -> List.of(401, 429);
      case SUBMISSION -> List.of(201);
      case DELETION -> List.of(204);
      // A user may request at most four large responses at the same time.
      case OPENPAI_DETAIL -> List.of(200, 429);
      default -> List.of(200);
    };
  }

  private void assertAnswered(String token, String path) throws Exception {
    long startNanos = System.nanoTime();
    assertThat(send(token, "GET", path, "").statusCode()).isEqualTo(200);
    assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(MOST);
  }

  private List<HttpRequest> prepareRequests(Kind kind) throws Exception {
    return switch (kind) {
      case LOG_SEARCH -> {
        Path log = data.resolve("logs/" + job(JobFileText.named("log")) + "/1/main/0/stdout");
        Files.createDirectories(log.getParent());
        Files.writeString(log, "y".repeat(8 * 1024 * 1024));
        String texts =
            IntStream.range(0, 10)
                .mapToObj(i -> "text=" + "y".repeat(199) + (char) ('A' + i % 24))
                .collect(Collectors.joining("&"));
        yield repeatedRequest("GET", "/api/v3/jobs/log/logs/main/0/stdout/matches?" + texts, "");
      }
      // More ports than a job may have, which the server detects only after it has read all of
      // them.
      case PORT_LABELS -> repeatedRequest("POST", "/api/v3/jobs", labels("labels"));
      case ZIP_OF_SPARSE_FILE -> archiveRequests("zip");
      case TAR_OF_SPARSE_FILE -> archiveRequests("tar");
      case SIGN_IN ->
          IntStream.range(0, 6 * PENDING)
              .mapToObj(
                  i -> "{\"user\": \"nobody%d\", \"password\": \"%s\"}".formatted(i, PASSWORD))
              .map(body -> request("", "POST", "/api/v3/sessions", body))
              .toList();
      case CHECK -> repeatedRequest("POST", "/api/v3/jobs/check", roles("check"));
      case SUBMISSION ->
          IntStream.range(0, PENDING)
              .mapToObj(i -> request(alice, "POST", "/api/v3/jobs", roles("submission" + i)))
              .toList();
      case DELETION -> deletionRequests();
      case LISTING -> {
        fill(outputs(job(JobFileText.named("listing"))), 40_000);
        HttpRequest listing = request(alice, "GET", "/api/v3/jobs/listing/outputs?limit=1000", "");
        yield Collections.nCopies(6 * PENDING, listing);
      }
      case USAGE -> {
        fill(data.resolve("home/alice/usage"), 40_000);
        HttpRequest usage = request(alice, "GET", "/api/v3/files/usage", "");
        yield Collections.nCopies(6 * PENDING, usage);
      }
      // A user may request at most two exports at the same time.
      case CSV -> repeatedRequest("GET", "/api/v3/jobs?format=csv&sort=name", "").subList(0, 2);
      case OPENPAI_DETAIL -> {
        job(tasks("detail", 10_000));
        yield repeatedRequest("GET", "/api/v2/jobs/alice~detail", "");
      }
      case OPENPAI_EVENTS -> {
        job(JobFileText.named("events"));
        yield repeatedRequest("GET", "/api/v2/jobs/alice~events/events", "");
      }
      case NAME_PREFIX -> repeatedRequest("GET", "/api/v3/jobs?name=a", "");
      case KEYWORD_COUNT -> repeatedRequest("GET", "/api/v3/jobs?keyword=a&total=true", "");
      case BATCH -> repeatedRequest("POST", "/api/v3/jobs/batch", batch());
    };
  }

  private List<HttpRequest> repeatedRequest(String method, String path, String body) {
    return IntStream.range(0, PENDING).mapToObj(_ -> request(alice, method, path, body)).toList();
  }

  private List<HttpRequest> archiveRequests(String format) throws Exception {
    Path outputs = outputs(job(JobFileText.named(format)));
    Files.createDirectories(outputs);
    try (RandomAccessFile sparse =
        new RandomAccessFile(outputs.resolve("sparse").toString(), "rw")) {
      sparse.setLength(1L << 40);
    }
    return repeatedRequest(
        "GET", "/api/v3/jobs/" + format + "/outputs/archive?format=" + format, "");
  }

  private List<HttpRequest> deletionRequests() throws Exception {
    List<HttpRequest> deletions = new ArrayList<>();
    for (int i = 0; i < PENDING; i++) {
      fill(outputs(job(JobFileText.named("deleted" + i))), 500);
      String path = "/api/v3/jobs/deleted" + i;
      assertThat(send(alice, "POST", path + "/stop", "").statusCode()).isEqualTo(202);
      deletions.add(request(alice, "DELETE", path, ""));
    }
    return deletions;
  }

  private Path outputs(String job) {
    return data.resolve("jobs").resolve(job).resolve("output");
  }

  /**
   * Fills a directory with hard links to a few files, because creating links is faster than
   * creating files.
   */
  private static void fill(Path outputs, int files) throws IOException {
    Files.createDirectories(outputs);
    Path file = null;
    for (int i = 0; i < files; i++) {
      Path next = outputs.resolve("file" + i);
      if (i % MOST_LINKS == 0) {
        file = Files.createFile(next);
      } else {
        Files.createLink(next, file);
      }
    }
  }

  private static String tasks(String name, int tasks) {
    return """
    {"jobName": "%s", "image": "x", "taskRoles": [{"name": "main", "taskNumber": %d,
      "cpuNumber": 1, "memoryMB": 512, "command": "true"}]}
    """
        .formatted(name, tasks);
  }

  private static String batch() {
    String jobs =
        IntStream.range(0, 500)
            .mapToObj(i -> "\"alice~none" + i + '"')
            .collect(Collectors.joining(","));
    return "{\"action\": \"tag\", \"tag\": \"x\", \"jobs\": [" + jobs + "]}";
  }

  private static String labels(String name) {
    String ports =
        IntStream.range(0, 20_000)
            .mapToObj(i -> "{\"label\": \"p" + i + "\", \"portNumber\": 1}")
            .collect(Collectors.joining(","));
    return """
    {"jobName": "%s", "image": "x", "taskRoles": [{"name": "main", "taskNumber": 1,
      "cpuNumber": 1, "memoryMB": 512, "command": "true", "portList": [%s]}]}
    """
        .formatted(name, ports);
  }

  /** Returns a job file of about 880 KB. */
  private static String roles(String name) {
    String roles =
        IntStream.range(0, 8_000)
            .mapToObj(
                i ->
                    """
                    {"name": "role%d", "taskNumber": 1, "cpuNumber": 1, "memoryMB": 512,
                      "command": "echo %s"}
                    """
                        .formatted(i, "x".repeat(20)))
            .collect(Collectors.joining(","));
    return "{\"jobName\": \"%s\", \"image\": \"x\", \"taskRoles\": [%s]}".formatted(name, roles);
  }
}
