package dev.trainyard.cli.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.trainyard.cli.FakeServer;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimitRetryTest {
  private final List<Duration> waits = new ArrayList<>();
  private final List<Message> reported = new ArrayList<>();
  private FakeServer server;
  private ApiClient api;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer();
    RateLimitRetry rateLimitRetry = new RateLimitRetry(reported::add, waits::add);
    api =
        new ApiClient(
            server.address(),
            "secret",
            Trust.DEFAULT,
            () -> "secret",
            Optional::empty,
            rateLimitRetry);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String rateLimitError(String message, int seconds) {
    return """
    {"code":"TOO_MANY_REQUESTS","message":"too much","messageCode":"%s",
     "params":{"seconds":%d},"problems":[]}\
    """
        .formatted(message, seconds);
  }

  /** Rejects the given number of requests, then accepts. */
  private void rejectFirst(String method, String path, int times, String body) {
    AtomicInteger requestCount = new AtomicInteger();
    server.on(
        method,
        path,
        exchange -> {
          boolean isRejected = requestCount.getAndIncrement() < times;
          FakeServer.reply(exchange, isRejected ? 429 : 200, isRejected ? body : "{\"id\":\"x\"}");
        });
  }

  @Test
  void send_waitsForRequestedTime() {
    rejectFirst("POST", "/api/v3/jobs", 2, rateLimitError("error.too-many-submissions", 3));
    byte[] body = "the job".getBytes(StandardCharsets.UTF_8);
    assertThat(api.send("POST", "/api/v3/jobs", body).string("id")).isEqualTo("x");
    assertThat(waits).containsExactly(Duration.ofSeconds(3), Duration.ofSeconds(3));
    assertThat(server.requests())
        .extracting(FakeServer.ReceivedRequest::body)
        .containsOnly("the job");
    assertThat(server.requests()).hasSize(3);
    // Reported only once, because a client that sends thousands of requests should not print
    // thousands of lines.
    assertThat(reported).containsExactly(Message.of("cli.slow-down", "seconds", 3L));
  }

  @Test
  void patch_rateLimited_waits() {
    rejectFirst("PATCH", "/x", 1, rateLimitError("error.too-many-requests", 1));
    assertThat(api.patch("/x", Map.of()).string("id")).isEqualTo("x");
    assertThat(waits).containsExactly(Duration.ofSeconds(1));
  }

  @Test
  void open_rateLimited_waits() throws IOException {
    rejectFirst("GET", "/log", 1, rateLimitError("error.too-many-open", 5));
    try (ApiClient.Stream stream = api.open("/log", 1000)) {
      assertThat(stream.bytes().readAllBytes()).isNotEmpty();
    }
    assertThat(waits).containsExactly(Duration.ofSeconds(5));
  }

  @Test
  void send_longWaits_areReportedUntilLimit() {
    rejectFirst("GET", "/x", 1000, rateLimitError("error.too-many-requests", 200));
    assertThatThrownBy(() -> api.read("/x"))
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS));
    assertThat(waits).hasSize(3);
    assertThat(reported).hasSize(3);
  }

  @Test
  void send_proxyResponse_waitsAsHeaderRequests() {
    server.on("GET", "/x", RateLimitRetryTest::respondAsProxy);
    assertThatThrownBy(() -> api.read("/x")).isInstanceOf(AppException.class);
    assertThat(waits).hasSize(14).containsOnly(Duration.ofSeconds(42));
  }

  private static void respondAsProxy(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Retry-After", "42");
    FakeServer.reply(exchange, 429, "<html>slow down</html>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"error.too-many-failures", "error.too-many-sign-ins", "error.too-many-execs"})
  void send_otherErrors_areNotRetried(String message) {
    rejectFirst("GET", "/x", 1000, rateLimitError(message, 1));
    assertThatThrownBy(() -> api.read("/x")).isInstanceOf(AppException.class);
    assertThat(waits).isEmpty();
    assertThat(server.requests()).hasSize(1);
  }
}
