package dev.trainyard.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * While clients put load on a listener of a server, the server must still respond to other
 * requests. The server has 400 file descriptors and a small heap. To test another listener, add it
 * to {@link #listeners}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ListenerLoadTest {
  private static final int OPEN_FILES = 400;
  private static final String HEAP = "-Xmx128m";
  private static final Duration ANSWER = Duration.ofSeconds(20);

  @TempDir static Path directory;
  private final List<SocketChannel> attackers = new ArrayList<>();
  private Process process;
  private URI url;
  private String token;
  private String userToken;

  /**
   * A listener and the requests that keep it busy.
   *
   * @param port returns the port of the listener, given the URL of the API
   * @param unfinished beginnings of requests that the clients never complete; filler bytes follow
   * @param large request with a large response, which the client does not read; {@code %s} is
   *     replaced by a token
   */
  record Listener(String name, ToIntFunction<URI> port, List<String> unfinished, String large) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Listener> listeners() {
    return List.of(
        new Listener(
            "API",
            URI::getPort,
            List.of(
                post("/api/v3/sessions", 1_000_000),
                post("/api/v2/jobs", 4_000_000),
                post("/api/v3/jobs", 900_000),
                "GET /api/v3/jobs HTTP/1.1\r\nX-Long: "),
            "GET "
                + LoadTestServer.LARGE
                + " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\n\r\n"));
  }

  private static String post(String path, int length) {
    return "POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n".formatted(path, length);
  }

  @BeforeAll
  void start() throws Exception {
    Path data = directory.resolve("data");
    process =
        new ProcessBuilder(
                "sh",
                "-c",
                "ulimit -n " + OPEN_FILES + " && exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                HEAP,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                LoadTestServer.class.getName(),
                data.toString())
            .redirectError(directory.resolve("server.log").toFile())
            .start();
    String line = process.inputReader(StandardCharsets.UTF_8).readLine();
    assertThat(line).as("%s", directory).startsWith("http");
    url = URI.create(line);
    token = Files.readString(data.resolve("local-token")).strip();
    String user = "{\"name\": \"alice\", \"password\": \"a-good-password\"}";
    assertThat(post("/api/v3/users", user).statusCode()).isEqualTo(201);
    String signIn = "{\"user\": \"alice\", \"password\": \"a-good-password\"}";
    userToken =
        post("/api/v3/sessions", signIn)
            .body()
            .replaceFirst("(?s).*\"token\" ?: ?\"([^\"]+)\".*", "$1");
  }

  @AfterAll
  void stop() throws Exception {
    process.getOutputStream().close();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }

  @ParameterizedTest
  @MethodSource("listeners")
  void idleConnections_othersAreAnswered(Listener listener) throws Exception {
    attack(listener, 600, List.of(), 0);
    try {
      assertServerResponds();
    } finally {
      closeAttackers();
    }
  }

  @ParameterizedTest
  @MethodSource("listeners")
  void unfinishedRequests_othersAreAnswered(Listener listener) throws Exception {
    attack(listener, 400, listener.unfinished(), 800_000);
    try {
      assertServerResponds();
    } finally {
      closeAttackers();
    }
  }

  @ParameterizedTest
  @MethodSource("listeners")
  void unreadResponses_othersAreAnswered(Listener listener) throws Exception {
    attack(listener, 120, List.of(listener.large().formatted("none")), 0);
    try {
      assertServerResponds();
      assertThat(get(LoadTestServer.LARGE).body()).hasSize(4 << 20);
    } finally {
      closeAttackers();
    }
  }

  @ParameterizedTest
  @MethodSource("listeners")
  @Timeout(120)
  void unreadResponsesOfOneUser_othersAreAnswered(Listener listener) throws Exception {
    attack(listener, 300, List.of(listener.large().formatted(userToken)), 0);
    try {
      awaitFirstBytes();
      assertServerResponds();
    } finally {
      closeAttackers();
    }
  }

  /**
   * Opens connections and sends requests on them without blocking: bytes that the server does not
   * accept are not sent.
   */
  private void attack(Listener listener, int count, List<String> openings, int bytes)
      throws IOException {
    byte[] filler = "x".repeat(bytes).getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < count; i++) {
      SocketChannel attacker = SocketChannel.open();
      attackers.add(attacker);
      attacker.setOption(StandardSocketOptions.SO_RCVBUF, 4_096);
      int port = listener.port().applyAsInt(url);
      attacker.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      attacker.configureBlocking(false);
      try {
        if (!openings.isEmpty()) {
          String opening = openings.get(i % openings.size());
          attacker.write(ByteBuffer.wrap(opening.getBytes(StandardCharsets.US_ASCII)));
          ByteBuffer rest = ByteBuffer.wrap(filler);
          while (rest.hasRemaining() && attacker.write(rest) > 0) {
            // Send as many bytes as the socket accepts.
          }
        }
      } catch (IOException e) {
        // The server has closed it.
      }
    }
  }

  /** Waits until every connection has a response or is closed. */
  private void awaitFirstBytes() throws IOException {
    for (SocketChannel attacker : attackers) {
      attacker.configureBlocking(true);
      try {
        int _ = attacker.read(ByteBuffer.allocate(1));
      } catch (IOException e) {
        // The server has closed it.
      }
    }
  }

  private void closeAttackers() throws IOException {
    for (SocketChannel attacker : attackers) {
      attacker.close();
    }
    attackers.clear();
  }

  /** Uses a separate connection for each request, like a new client. */
  private void assertServerResponds() throws Exception {
    for (int i = 0; i < 3; i++) {
      for (String path : List.of("/livez", "/healthz", "/api/v3/me", "/api/v3/jobs")) {
        HttpResponse<String> response = get(path);
        assertThat(response.statusCode()).as("%s: %s", path, response.body()).isEqualTo(200);
      }
    }
    assertThat(process.isAlive()).isTrue();
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send(HttpRequest.newBuilder(url.resolve(path)));
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return send(
        HttpRequest.newBuilder(url.resolve(path)).POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    try (HttpClient fresh = HttpClient.newHttpClient()) {
      return fresh.send(
          request.timeout(ANSWER).header("Authorization", "Bearer " + token).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }
}
