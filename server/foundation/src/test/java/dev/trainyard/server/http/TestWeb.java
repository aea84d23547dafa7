package dev.trainyard.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.server.limit.RequestLimits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** A real web server on a free port, with two users: tokens "user" and "admin". */
public final class TestWeb implements AutoCloseable {
  static final Map<String, Caller> CALLERS =
      Map.of(
          "user", new Caller("u1", "alice", false, "t1"),
          "admin", new Caller("u2", "root", true, "t2"));

  private final WebServer server;
  private final HttpClient client = HttpClient.newHttpClient();
  final URI url;

  TestWeb(WebConfig config, Consumer<Routes> routes) {
    this(config, routes, token -> Optional.ofNullable(CALLERS.get(token)));
  }

  public TestWeb(WebConfig config, Consumer<Routes> routes, Authenticator authenticator) {
    this(config, routes, authenticator, RequestLimits.NONE);
  }

  TestWeb(
      WebConfig config,
      Consumer<Routes> routes,
      Authenticator authenticator,
      RequestLimits limits) {
    server =
        new WebServer(
            config,
            authenticator,
            limits,
            (method, route, status, took) -> {},
            InstantSource.system());
    routes.accept(server);
    url = server.listen();
  }

  static TestWeb with(Consumer<Routes> routes) {
    return new TestWeb(WebConfig.local(0), routes);
  }

  public HttpResponse<String> send(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    return send(method, path, HttpRequest.BodyPublishers.ofString(body), headers);
  }

  HttpResponse<String> send(
      String method, String path, HttpRequest.BodyPublisher body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url.resolve(path))
            .timeout(Duration.ofSeconds(20))
            .method(method, body);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  public HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    return send("GET", path, "", headers);
  }

  /** Returns the response as received, compressed or not. */
  public HttpResponse<byte[]> bytes(String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(url.resolve(path)).headers(headers).build();
    return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
  }

  public static JsonNode json(HttpResponse<String> response) throws IOException {
    return Json.MAPPER.readTree(response.body());
  }

  public URI url() {
    return url;
  }

  WebServer server() {
    return server;
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
