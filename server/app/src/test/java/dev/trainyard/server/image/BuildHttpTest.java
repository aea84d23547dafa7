package dev.trainyard.server.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.trainyard.engine.testkit.MemoryImages;
import dev.trainyard.engine.testkit.ScriptedEngine;
import dev.trainyard.scheduler.FifoPlanner;
import dev.trainyard.server.Server;
import dev.trainyard.server.backup.ArchiveEntry;
import dev.trainyard.server.backup.TarOutput;
import dev.trainyard.server.config.SettingsReader;
import dev.trainyard.server.feature.JobFeature;
import dev.trainyard.server.queue.JobFixture;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BuildHttpTest {
  private static final String PATH = "/api/v3/image-builds?name=mine:1";
  private static final String PASSWORD = "a-good-password";

  @TempDir static Path directory;

  private final HttpClient client = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();
  private Server server;
  private String alice;
  private String bob;

  @BeforeAll
  void start() throws Exception {
    Path data = directory.resolve("data");
    ScriptedEngine engine = new ScriptedEngine(List.of());
    engine.useImages(new MemoryImages());
    server =
        Server.start(
            SettingsReader.read(Map.of("data", data.toString(), "port", "0"), Map.of()),
            Optional.of(PASSWORD),
            List.of(foundation -> new JobFeature(foundation, engine, new FifoPlanner())));
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
    String user = "{\"name\": \"%s\", \"password\": \"%s\"}".formatted(name, PASSWORD);
    byte[] body = user.getBytes(StandardCharsets.UTF_8);
    assertThat(post(admin, "/api/v3/users", body).statusCode()).isEqualTo(201);
    String signIn = "{\"user\": \"%s\", \"password\": \"%s\"}".formatted(name, PASSWORD);
    return json.readTree(
            post("", "/api/v3/sessions", signIn.getBytes(StandardCharsets.UTF_8)).body())
        .get("token")
        .asText();
  }

  private HttpResponse<String> post(String token, String path, byte[] body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.url().resolve(path))
            .timeout(Duration.ofSeconds(30))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static byte[] context() throws IOException {
    byte[] dockerfile = "FROM x\n".getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream archive = new ByteArrayOutputStream();
    TarOutput tar = new TarOutput(archive);
    tar.begin(
        new ArchiveEntry(
            "Dockerfile", ArchiveEntry.Kind.FILE, 0644, 0, 0, dockerfile.length, 0, ""));
    tar.writeContent(dockerfile, 0, dockerfile.length);
    tar.endContent(dockerfile.length);
    tar.finish();
    return archive.toByteArray();
  }

  private Socket stalledUpload(String token) throws IOException {
    Socket socket = new Socket(server.url().getHost(), server.url().getPort());
    socket
        .getOutputStream()
        .write(
            ("POST %s HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\n"
                    + "Content-Length: 100000\r\n\r\nx")
                .formatted(PATH, token)
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  @Test
  void build_twoUploadsInProgress_thirdRejectedForThatUserOnly() throws Exception {
    List<Socket> stalled = new ArrayList<>();
    try {
      JobFixture.eventually(
          () -> isThirdUploadRejected(stalled), "the response to a third concurrent upload");
      HttpResponse<String> rejected = post(alice, PATH, context());
      assertThat(rejected.headers().firstValue("Retry-After")).contains("5");
      assertThat(rejected.body()).contains("error.too-many-contexts");

      HttpResponse<String> other = post(bob, PATH, context());
      assertThat(other.statusCode()).as(other.body()).isEqualTo(201);
    } finally {
      for (Socket socket : stalled) {
        socket.close();
      }
    }
    JobFixture.eventually(() -> status(alice) == 201, "an upload after the others were canceled");
  }

  /**
   * Starts one more upload, which stalls, and then tries a complete upload; returns whether the
   * complete upload was rejected. Callers must repeat this, because the complete upload may arrive
   * first, and then the stalled one is rejected.
   */
  private boolean isThirdUploadRejected(List<Socket> stalled) {
    try {
      stalled.add(stalledUpload(alice));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return status(alice) == 429;
  }

  private int status(String token) {
    try {
      return post(token, PATH, context()).statusCode();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
