package dev.trainyard.server.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.trainyard.engine.RegistryLogin;
import dev.trainyard.model.AppException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RegistryBrowserTest {
  private static final Optional<RegistryLogin> ALICE =
      Optional.of(new RegistryLogin("alice", "secret"));
  private static final String BASIC =
      "Basic "
          + Base64.getEncoder().encodeToString("alice:secret".getBytes(StandardCharsets.UTF_8));

  private final RegistryBrowser browser = new RegistryBrowser();
  private final List<String> requestedPaths = new ArrayList<>();
  private HttpServer server;
  private Registry registry;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    server.start();
    registry = new Registry("127.0.0.1:" + server.getAddress().getPort(), true, "", List.of());
  }

  @AfterEach
  void stop() {
    server.stop(0);
    browser.close();
  }

  private interface Reaction {
    void to(HttpExchange exchange) throws IOException;
  }

  private void addHandler(String path, Reaction reaction) {
    server.createContext(
        path,
        exchange -> {
          synchronized (requestedPaths) {
            requestedPaths.add(exchange.getRequestURI().toString());
          }
          reaction.to(exchange);
          exchange.close();
        });
  }

  private static void respond(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static void challenge(HttpExchange exchange, String how) throws IOException {
    exchange.getResponseHeaders().set("WWW-Authenticate", how);
    respond(exchange, 401, "{}");
  }

  private static boolean hasCredentials(HttpExchange exchange, String credentials) {
    return credentials.equals(exchange.getRequestHeaders().getFirst("Authorization"));
  }

  private static void assertRejected(String code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.text().code()).isEqualTo(code));
  }

  private RegistryBrowser.Page repositories(Optional<RegistryLogin> login) {
    return browser.repositories(registry, login, Optional.empty(), 2);
  }

  @Test
  void repositories_public_paged() {
    addHandler(
        "/v2/_catalog", exchange -> respond(exchange, 200, "{\"repositories\":[\"a\",\"b\"]}"));

    assertThat(repositories(Optional.empty()))
        .isEqualTo(new RegistryBrowser.Page(List.of("a", "b"), true));
    browser.repositories(registry, ALICE, Optional.of("b c"), 2);
    assertThat(requestedPaths).containsExactly("/v2/_catalog?n=2", "/v2/_catalog?n=2&last=b+c");
  }

  @Test
  void tags_basicLogin_sentAfterChallenge() {
    addHandler(
        "/v2/lab/base/tags/list",
        exchange -> {
          if (hasCredentials(exchange, BASIC)) {
            respond(exchange, 200, "{\"tags\":[\"1\"]}");
          } else {
            challenge(exchange, "Basic realm=\"r\"");
          }
        });

    assertThat(browser.tags(registry, ALICE, "lab/base", Optional.empty(), 2).names())
        .containsExactly("1");
    assertRejected(
        "error.registry-login-refused",
        () -> browser.tags(registry, Optional.empty(), "lab/base", Optional.empty(), 2));
  }

  @Test
  void repositories_tokenOfOwnHost_fetched() {
    addHandler(
        "/v2/_catalog",
        exchange -> {
          if (hasCredentials(exchange, "Bearer t0")) {
            respond(exchange, 200, "{\"repositories\":[\"a\"]}");
          } else {
            challenge(
                exchange,
                "Bearer realm=\"http://%s/token\",service=\"s\",scope=\"registry:catalog:*\""
                    .formatted(registry.host()));
          }
        });
    addHandler(
        "/token",
        exchange ->
            respond(exchange, hasCredentials(exchange, BASIC) ? 200 : 401, "{\"token\":\"t0\"}"));

    assertThat(repositories(ALICE).names()).containsExactly("a");
    assertThat(requestedPaths)
        .contains("/token?client_id=trainyard&service=s&scope=registry%3Acatalog%3A*");
  }

  @Test
  void repositories_tokenOfOtherHost_isNotFetched() {
    addHandler(
        "/v2/_catalog",
        exchange ->
            challenge(
                exchange,
                "Bearer realm=\"http://localhost:%d/token\""
                    .formatted(server.getAddress().getPort())));

    assertRejected("error.registry-unreachable", () -> repositories(ALICE));
    assertThat(requestedPaths).containsExactly("/v2/_catalog?n=2");
  }

  @Test
  void repositories_redirect_notFollowed() {
    addHandler(
        "/v2/_catalog",
        exchange -> {
          exchange.getResponseHeaders().set("Location", "/elsewhere");
          respond(exchange, 302, "");
        });
    addHandler("/elsewhere", exchange -> respond(exchange, 200, "{\"repositories\":[\"a\"]}"));

    assertRejected("error.registry-unreachable", () -> repositories(ALICE));
    assertThat(requestedPaths).containsExactly("/v2/_catalog?n=2");
  }

  @Test
  void repositories_endlessResponse_cutOff() {
    addHandler(
        "/v2/_catalog",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          byte[] some = new byte[1 << 20];
          for (int i = 0; i < 6; i++) {
            exchange.getResponseBody().write(some);
          }
        });

    assertRejected("error.registry-unreachable", () -> repositories(ALICE));
  }

  @Test
  void repositories_unreachable_reported() {
    server.stop(0);
    assertRejected("error.registry-unreachable", () -> repositories(ALICE));
  }

  @Test
  void tags_unknownRepository_reported() {
    addHandler("/v2/", exchange -> respond(exchange, 404, "{}"));
    assertRejected(
        "error.registry-has-none",
        () -> browser.tags(registry, ALICE, "none", Optional.empty(), 2));
  }
}
