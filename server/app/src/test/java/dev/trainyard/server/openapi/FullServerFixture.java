package dev.trainyard.server.openapi;

import dev.trainyard.engine.testkit.ScriptedEngine;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.Node;
import dev.trainyard.scheduler.FifoPlanner;
import dev.trainyard.server.Server;
import dev.trainyard.server.config.SettingsReader;
import dev.trainyard.server.feature.JobFeature;
import dev.trainyard.server.feature.OperationsFeature;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The complete server with a simulated engine, and an administrator. */
final class FullServerFixture implements AutoCloseable {
  private static final Isolation.Level NONE = Isolation.Level.NONE;

  private final HttpClient client = HttpClient.newHttpClient();
  final ScriptedEngine engine;
  final Server server;

  /** Token of the caller; initially the local token. */
  String token;

  FullServerFixture(Path directory) throws IOException {
    this(directory, Map.of());
  }

  /**
   * @param extraSettings additional settings, for routes that exist only with them
   */
  FullServerFixture(Path directory, Map<String, String> extraSettings) throws IOException {
    Map<String, String> settings = new HashMap<>(extraSettings);
    settings.put("data", directory.toString());
    settings.put("port", "0");
    var box =
        new Node(
            "box",
            4,
            DataSize.ofMegabytes(8_192),
            List.of(),
            Map.of(),
            new Isolation(NONE, NONE, NONE, NONE));
    engine = new ScriptedEngine(List.of(box));
    server =
        Server.start(
            SettingsReader.read(settings, Map.of()),
            Optional.of("a-good-password"),
            List.of(
                foundation -> new JobFeature(foundation, engine, new FifoPlanner()),
                OperationsFeature::new));
    token = Files.readString(directory.resolve("local-token")).strip();
  }

  HttpResponse<String> send(String method, String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.url().resolve(path))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    request.header("Authorization", "Bearer " + token);
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    server.close();
    client.close();
  }
}
