package dev.trainyard.server.feature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.testkit.ScriptedEngine;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.Node;
import dev.trainyard.scheduler.FifoPlanner;
import dev.trainyard.server.Server;
import dev.trainyard.server.config.SettingsReader;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.queue.JobFixture;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the complete server with a simulated engine. */
class JobFeatureTest {
  private static final Isolation.Level NONE = Isolation.Level.NONE;

  @TempDir Path directory;
  private final HttpClient client = HttpClient.newHttpClient();

  private final ScriptedEngine engine =
      new ScriptedEngine(
          List.of(
              new Node(
                  "box",
                  4,
                  DataSize.ofMegabytes(8_192),
                  List.of(),
                  Map.of(),
                  new Isolation(NONE, NONE, NONE, NONE))));

  @Test
  void job_submittedToWholeServer_finishes() throws Exception {
    var settings =
        SettingsReader.read(
            Map.of("data", directory.resolve("data").toString(), "port", "0"), Map.of());
    try (Server server =
        Server.start(
            settings,
            Optional.of("a-good-password"),
            List.of(foundation -> new JobFeature(foundation, engine, new FifoPlanner())))) {
      assertThat(send(server, "POST", "/api/v3/jobs", JobFileText.named("hello")).statusCode())
          .isEqualTo(201);
      JobFixture.eventually(() -> engine.started().size() == 1, "the task to start");
      assertThat(engine.reserved().getFirst().user()).isEqualTo("admin");
      engine.write(engine.started().getFirst(), false, "finished\n");
      engine.finish(engine.started().getFirst(), 0);
      String log = send(server, "GET", "/api/v3/jobs/hello/logs/-/-/stdout?follow=true", "").body();
      assertThat(log).isEqualTo("finished\n");
      assertThat(send(server, "GET", "/api/v3/jobs/hello", "").body()).contains("SUCCEEDED");
      assertThat(send(server, "GET", "/metrics", "").body())
          .contains("trainyard_jobs{state=\"running\"} 0")
          .contains("trainyard_queue_depth 0");
    }
  }

  private HttpResponse<String> send(Server server, String method, String path, String body)
      throws Exception {
    String token = Files.readString(directory.resolve("data/local-token")).strip();
    HttpRequest request =
        HttpRequest.newBuilder(server.url().resolve(path))
            .header("Authorization", "Bearer " + token)
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }
}
