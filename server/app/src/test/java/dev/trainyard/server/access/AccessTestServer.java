package dev.trainyard.server.access;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.engine.testkit.ScriptedEngine;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.Node;
import dev.trainyard.scheduler.FifoPlanner;
import dev.trainyard.server.CoreServices;
import dev.trainyard.server.Server;
import dev.trainyard.server.config.SettingsReader;
import dev.trainyard.server.exec.RawUpgrade;
import dev.trainyard.server.feature.JobFeature;
import dev.trainyard.server.feature.OperationsFeature;
import dev.trainyard.server.http.CsrfProtection;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.http.Route;
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

/** The complete server with a simulated engine; all requests seem to come from another host. */
final class AccessTestServer implements AutoCloseable {
  private static final Isolation.Level NONE = Isolation.Level.NONE;

  /** Name of a virtual cluster and of the group that grants it. */
  static final String LAB = "lab";

  private final HttpClient client = HttpClient.newHttpClient();
  private final ScriptedEngine engine =
      new ScriptedEngine(
          List.of(
              new Node(
                  "box",
                  1,
                  DataSize.ofMegabytes(8_192),
                  List.of(),
                  Map.of(),
                  new Isolation(NONE, NONE, NONE, NONE))));
  private final Server server;
  private final String machineToken;
  private CoreServices coreServices;

  AccessTestServer(Path data) throws IOException {
    Map<String, String> options = new HashMap<>();
    options.put("data", data.toString());
    options.put("port", "0");
    options.put("trusted-proxies", "127.0.0.1");
    // Some routes exist only with these settings. The server does not contact the provider before a
    // user signs in.
    options.put("public-url", "http://localhost");
    options.put("oidc-issuer", "http://127.0.0.1:9");
    options.put("oidc-client-id", "trainyard");
    for (String limit : List.of("user", "address", "submit", "list", "sign-in")) {
      options.put("rate-limit-" + limit, "off");
    }
    server =
        Server.start(
            SettingsReader.read(options, Map.of()),
            Optional.of("a-good-password"),
            List.of(this::jobs, OperationsFeature::new));
    machineToken = Files.readString(data.resolve("local-token")).strip();
    sendAsAdministrator("POST", "/api/v3/virtual-clusters", "{\"name\": \"lab\"}");
    String group = "{\"name\": \"lab\", \"virtualClusters\": [\"lab\"]}";
    sendAsAdministrator("POST", "/api/v3/groups", group);
  }

  private JobFeature jobs(CoreServices core) {
    coreServices = core;
    return new JobFeature(core, engine, new FifoPlanner());
  }

  CoreServices coreServices() {
    return coreServices;
  }

  List<Route> routes() {
    return server.routes();
  }

  /** A response. */
  record Answer(int status, String body) {}

  /**
   * Sends a request. A token that begins with the name of the session cookie is sent as a cookie.
   */
  Answer request(String method, String path, String body, String token) {
    try {
      if (path.endsWith("/exec")) {
        RawUpgrade upgrade = RawUpgrade.send(server.url(), path, headers(token));
        return new Answer(upgrade.status(), upgrade.body());
      }
      HttpResponse<String> response = send(method, path, body, headers(token));
      return new Answer(response.statusCode(), response.body());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(method + " " + path, e);
    }
  }

  private Map<String, String> headers(String token) {
    Map<String, String> headers = new HashMap<>();
    headers.put("X-Forwarded-For", "192.0.2.1");
    headers.put("Accept", "application/json");
    if (token.startsWith(CsrfProtection.SESSION_COOKIE)) {
      headers.put("Cookie", token);
    } else if (!token.isEmpty()) {
      headers.put("Authorization", "Bearer " + token);
    }
    return headers;
  }

  private HttpResponse<String> send(
      String method, String path, String body, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.url().resolve(path))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    headers.forEach(request::header);
    if (body.startsWith("{")) {
      request.header("Content-Type", "application/json");
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Sends a request that must succeed; returns the JSON value in the response. */
  JsonNode sendSuccessfully(String method, String path, String body, String token) {
    try {
      HttpResponse<String> response = send(method, path, body, headers(token));
      if (response.statusCode() / 100 != 2) {
        throw new AssertionError(method + " " + path + ": " + response.body());
      }
      return Json.MAPPER.readTree(response.body().isEmpty() ? "{}" : response.body());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(method + " " + path, e);
    }
  }

  JsonNode sendAsAdministrator(String method, String path, String body) {
    return sendSuccessfully(method, path, body, machineToken);
  }

  @Override
  public void close() {
    server.close();
    client.close();
  }
}
