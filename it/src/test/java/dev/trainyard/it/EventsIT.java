package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Job events are sent immediately, only to users who may see the job, and never twice. */
class EventsIT extends NeedsSandbox {
  private static final String WAIT = "while [ ! -e /userhome/go ]; do sleep 0.05; done";

  @TempDir static Path directory;
  private static Trainyard trainyard;

  @BeforeAll
  static void start() throws Exception {
    trainyard = Trainyard.start(directory.resolve("data"));
  }

  @AfterAll
  static void stop() {
    if (trainyard != null) {
      trainyard.close();
    }
  }

  /** An event stream that is read as a browser reads it. */
  private static final class Stream implements AutoCloseable {
    private final BufferedReader lines;
    private final HttpURLConnection connection;
    private String lastId;

    Stream(Trainyard trainyard, String token, String query, String lastId) throws IOException {
      URI address = URI.create(trainyard.url() + "/api/v3/events" + query);
      connection = (HttpURLConnection) address.toURL().openConnection();
      connection.setRequestProperty("Authorization", "Bearer " + token);
      connection.setRequestProperty("Accept", "text/event-stream");
      if (!lastId.isEmpty()) {
        connection.setRequestProperty("Last-Event-ID", lastId);
      }
      this.lastId = lastId;
      lines =
          new BufferedReader(
              new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8));
    }

    JsonNode next() throws IOException {
      JsonNode data = null;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("data: ")) {
          data = Trainyard.JSON.readTree(line.substring("data: ".length()));
        } else if (line.startsWith("id: ")) {
          lastId = line.substring("id: ".length());
        } else if (line.isEmpty() && data != null) {
          return data;
        }
      }
      throw new AssertionError("the stream has ended");
    }

    @Override
    public void close() {
      connection.disconnect();
    }
  }

  private static String localToken(Trainyard trainyard) throws IOException {
    return Files.readString(trainyard.data().resolve("local-token")).strip();
  }

  @Test
  void stream_serverKilled_isResumedWithoutGap() throws Exception {
    Path data = directory.resolve("killed");
    List<Long> seen = new ArrayList<>();
    String last;
    try (Trainyard first = Trainyard.start(data)) {
      try (Stream stream = new Stream(first, localToken(first), "", "")) {
        first.submit(Trainyard.job("live", WAIT));
        for (String type : List.of("SUBMITTED", "PREPARING", "RUNNING")) {
          JsonNode event = stream.next();
          assertThat(event.get("type").asText()).isEqualTo(type);
          seen.add(event.get("id").asLong());
        }
        last = stream.lastId;
      }
      first.kill();
    }
    try (Trainyard second = Trainyard.start(data)) {
      Files.createFile(data.resolve("home/admin/go"));
      second.await("live", "SUCCEEDED");
      try (Stream stream = new Stream(second, localToken(second), "", last)) {
        JsonNode event = stream.next();
        assertThat(event.get("type").asText()).isEqualTo("SUCCEEDED");
        seen.add(event.get("id").asLong());
      }
      List<Long> listed = new ArrayList<>();
      second
          .run("events", "live", "--json")
          .json()
          .forEach(event -> listed.add(event.get("id").asLong()));
      assertThat(listed).isEqualTo(seen).hasSize(4);
    }
  }

  @Test
  void eventsCommand_followsUntilTheJobFinishes() throws Exception {
    trainyard.submit(Trainyard.job("live", WAIT));
    trainyard.await("live", "RUNNING");
    CompletableFuture<Trainyard.Result> following =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return trainyard.run("events", "live", "-f");
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            },
            Trainyard.BLOCKING);
    trainyard.request("POST", "/api/v3/jobs/live/stop", "");
    Trainyard.Result result = following.get();
    assertThat(result.exitCode()).isZero();
    assertThat(result.out())
        .containsSubsequence(
            "submitted by admin",
            "attempt 1 is running",
            "being stopped by admin",
            "stopped by admin");
    assertThat(trainyard.run("events", "live", "--lang", "zh").out()).contains("由 admin 提交");
  }

  @Test
  void stream_ordinaryUser_hasOnlyOwnJobs() throws Exception {
    trainyard.request(
        "POST", "/api/v3/users", "{\"name\":\"eve\",\"password\":\"a-good-password\"}");
    String token =
        Trainyard.JSON
            .readTree(
                trainyard
                    .request(
                        "POST",
                        "/api/v3/sessions",
                        "{\"user\":\"eve\",\"password\":\"a-good-password\"}",
                        "")
                    .body())
            .get("token")
            .asText();
    try (Stream stream = new Stream(trainyard, token, "?after=0", "")) {
      trainyard.submit(Trainyard.job("secret", "true"));
      trainyard.await("secret", "SUCCEEDED");
      trainyard.request("POST", "/api/v3/jobs", Trainyard.job("own", "true"), token);
      assertThat(stream.next().get("name").asText()).isEqualTo("own");
    }
    assertThat(trainyard.request("GET", "/api/v3/jobs/admin~secret/events", "", token).statusCode())
        .isEqualTo(404);
  }
}
