package dev.trainyard.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** HTTP server with the responses that a test configures, in the format of docs/api.md. */
public final class FakeServer implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, Responder> responders = new ConcurrentHashMap<>();
  private final List<ReceivedRequest> requests = new CopyOnWriteArrayList<>();

  /** Response to a request. */
  public interface Responder {
    void respond(HttpExchange exchange) throws IOException;
  }

  /** A received request. */
  public record ReceivedRequest(String method, String path, String token, String body) {
    public String requestLine() {
      return method + " " + path;
    }
  }

  public FakeServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    on("GET", "/livez", 200, "{\"status\":\"ok\"}");
    on("GET", "/healthz", 200, "{\"status\":\"ok\"}");
    on("GET", "/api/v3/users/alice/limits", 200, "{\"user\":\"alice\",\"groups\":[\"default\"]}");
    on("GET", "/api/v3/me", 200, "{\"user\":\"alice\",\"admin\":false}");
  }

  public URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  public List<ReceivedRequest> requests() {
    return List.copyOf(requests);
  }

  public List<String> requestLines() {
    return requests.stream().map(ReceivedRequest::requestLine).toList();
  }

  /** Sets the response by method and path; the query is ignored. */
  public void on(String method, String path, Responder responder) {
    responders.put(method + " " + path, responder);
  }

  public void on(String method, String path, int status, String json) {
    on(method, path, exchange -> reply(exchange, status, json));
  }

  public void reject(String method, String path, int status, String code, String message) {
    on(
        method,
        path,
        status,
        "{\"code\":\"%s\",\"message\":\"%s\",\"params\":{},\"problems\":[]}"
            .formatted(code, message));
  }

  public static void reply(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /** Serves a complete log from the requested offset. */
  public void serveLog(String path, String text) {
    on(
        "GET",
        path,
        exchange -> {
          byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
          long requestedOffset = offset(exchange);
          int from =
              (int)
                  (requestedOffset < 0
                      ? Math.max(0, bytes.length + requestedOffset)
                      : requestedOffset);
          exchange.getResponseHeaders().set("X-Log-Offset", Integer.toString(from));
          reply(
              exchange, 200, new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8));
        });
  }

  public static long offset(HttpExchange exchange) {
    String query = String.valueOf(exchange.getRequestURI().getQuery());
    for (String pair : query.split("&", -1)) {
      if (pair.startsWith("offset=")) {
        return Long.parseLong(pair.substring("offset=".length()));
      }
    }
    return 0;
  }

  private void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String token =
        String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"))
            .replace("Bearer ", "");
    requests.add(
        new ReceivedRequest(
            exchange.getRequestMethod(), exchange.getRequestURI().toString(), token, body));
    Responder responder =
        responders.get(exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath());
    if (responder == null) {
      reply(
          exchange,
          404,
          "{\"code\":\"NOT_FOUND\",\"message\":\"There is no such job.\",\"params\":{}}");
    } else {
      responder.respond(exchange);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
