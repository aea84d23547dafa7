package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebServerTest {
  private static final DataSize SMALL = new DataSize(100);
  private static TestWeb web;

  @BeforeAll
  static void start() {
    web = TestWeb.with(WebServerTest::routes);
  }

  @AfterAll
  static void stop() {
    web.close();
  }

  private static void routes(Routes routes) {
    routes.add("GET", "/hello/:name", Access.PUBLIC, r -> Map.of("hello", r.path("name")));
    routes.add("GET", "/query", Access.PUBLIC, r -> r.query("a").orElse("none"));
    routes.add("GET", "/long", Access.PUBLIC, r -> Map.of("long", "x".repeat(5_000)));
    routes.add("GET", "/text", Access.PUBLIC, r -> Reply.of(200, "plain"));
    routes.add("POST", "/echo", Access.PUBLIC, r -> r.json());
    routes.add("POST", "/fields", Access.PUBLIC, WebServerTest::fields);
    routes.add("GET", "/mine", Access.USER, r -> r.caller().userName());
    routes.add("POST", "/mine", Access.USER, r -> r.caller().userName());
    routes.add("GET", "/admin", Access.ADMIN, r -> r.caller().userName());
    routes.add("GET", "/thread", Access.PUBLIC, r -> Thread.currentThread().isVirtual());
    routes.add("GET", "/broken", Access.PUBLIC, r -> 1 / Integer.parseInt("0"));
    routes.add("GET", "/unwritable", Access.PUBLIC, r -> new Object());
    routes.add("GET", "/nothing", Access.PUBLIC, r -> Reply.noContent());
    routes.add(
        "POST",
        "/judged",
        Access.PUBLIC,
        BodyLimit.checkedByEndpoint(SMALL),
        r -> r.bodyTooLarge() ? "too long" : r.text());
    routes.add(
        "GET",
        "/refused",
        Access.PUBLIC,
        r -> {
          throw new AppException(
              ErrorCode.TOO_MANY_REQUESTS,
              Message.of("error.not-json", "seconds", 7),
              List.of(new Problem("a.b", Message.of("error.field-missing"), 3, 4)));
        });
  }

  private static Object fields(Request request) {
    Fields fields = new Fields(request.json());
    fields.text("name");
    fields.optionalFlag("admin");
    fields.check();
    return "fine";
  }

  @ParameterizedTest
  @CsvSource({
    "/long, gzip;q=0.5, same-origin, true",
    "/long, 'br, gzip', none, true",
    "/long, gzip, '', true",
    "/long, gzip, cross-site, false",
    "/long, gzip, same-site, false",
    "/long, gzip;q=0, same-origin, false",
    "/hello/x, gzip, same-origin, false",
  })
  void get_compressesLongJson(String path, String accepted, String site, boolean packed)
      throws Exception {
    String[] headers = {"Accept-Encoding", accepted, "Sec-Fetch-Site", site};
    HttpResponse<byte[]> response =
        web.bytes(path, Arrays.copyOf(headers, site.isEmpty() ? 2 : headers.length));
    assertThat(response.headers().firstValue("Content-Encoding").isPresent()).isEqualTo(packed);
    assertThat(response.headers().firstValue("Vary")).contains("Accept-Encoding");
    byte[] body =
        packed
            ? new GZIPInputStream(new ByteArrayInputStream(response.body())).readAllBytes()
            : response.body();
    assertThat(Json.MAPPER.readTree(body).isObject()).isTrue();
    assertThat(response.body().length < 200).isEqualTo(packed || path.equals("/hello/x"));
  }

  @Test
  void get_json_hasTheCommonHeaders() throws Exception {
    HttpResponse<String> response = web.get("/hello/a%20b%7Ec");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("{\"hello\":\"a b~c\"}");
    assertThat(response.headers().map())
        .containsEntry("content-type", List.of("application/json"))
        .containsEntry("x-content-type-options", List.of("nosniff"))
        .containsEntry("x-frame-options", List.of("DENY"))
        .containsEntry("cache-control", List.of("no-store"))
        .containsKey("x-request-id");
  }

  @Test
  void get_runsOnAVirtualThread() throws Exception {
    assertThat(web.get("/thread").body()).isEqualTo("true");
  }

  @Test
  void get_text() throws Exception {
    HttpResponse<String> response = web.get("/text");
    assertThat(response.body()).isEqualTo("plain");
    assertThat(response.headers().firstValue("content-type")).hasValue("text/plain; charset=utf-8");
  }

  @Test
  void get_query() throws Exception {
    assertThat(web.get("/query?a=1%2B1&a=2").body()).isEqualTo("1+1");
    assertThat(web.get("/query?b=1").body()).isEqualTo("none");
  }

  @Test
  void head_hasTheLengthButNoBody() throws Exception {
    HttpResponse<String> response = web.send("HEAD", "/text", "");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-length")).hasValue("5");
    assertThat(response.body()).isEmpty();
  }

  @Test
  void get_noContent() throws Exception {
    assertThat(web.get("/nothing").statusCode()).isEqualTo(204);
  }

  /** PostgreSQL cannot store NUL, and would report it only within a transaction. */
  @Test
  void nulCharacter_isRejectedEverywhere() throws Exception {
    assertRejected(web.get("/hello/a%00b"), 400, "BAD_REQUEST");
    JsonNode query = assertRejected(web.get("/query?a=%00"), 400, "BAD_REQUEST");
    assertThat(query.at("/problems/0/path").asText()).isEqualTo("a");
    assertRejected(
        web.send("POST", "/echo", "{\"a\": [{\"b\": \"x\\u0000\"}]}"), 400, "BAD_REQUEST");
    assertRejected(web.send("POST", "/echo", "{\"\\u0000\": 1}"), 400, "BAD_REQUEST");
    assertThat(web.send("POST", "/echo", "{\"a\": \"\\\\u0000\"}").statusCode()).isEqualTo(200);
  }

  @Test
  void unknownPath_is404() throws Exception {
    assertRejected(web.get("/elsewhere"), 404, "NOT_FOUND");
  }

  @Test
  void wrongMethod_is405() throws Exception {
    assertRejected(web.send("DELETE", "/echo", ""), 405, "METHOD_NOT_ALLOWED");
  }

  @Test
  void error_hasAllFields() throws Exception {
    HttpResponse<String> response = web.get("/refused");
    JsonNode body = assertRejected(response, 429, "TOO_MANY_REQUESTS");
    assertThat(body.get("message").textValue()).isEqualTo("the request body must be a JSON object");
    assertThat(body.get("params").get("seconds").intValue()).isEqualTo(7);
    assertThat(body.get("problems").toString())
        .isEqualTo(
            "[{\"path\":\"a.b\",\"message\":\"is missing\",\"code\":\"error.field-missing\","
                + "\"params\":{},\"line\":3,\"column\":4}]");
    assertThat(response.headers().firstValue("retry-after")).hasValue("7");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/broken", "/unwritable"})
  void unexpected_internalErrorWithRequestIdOnly(String path) throws Exception {
    HttpResponse<String> response = web.get(path);
    JsonNode body = assertRejected(response, 500, "INTERNAL");
    assertThat(body.get("params").get("requestId").textValue())
        .isEqualTo(response.headers().firstValue("x-request-id").orElseThrow());
    assertThat(response.body()).doesNotContain("Exception");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[1]", "{} {}", "{\"a\":1,\"a\":2}", "\"text\"", "null"})
  void json_malformed_rejected(String body) throws Exception {
    assertRejected(web.send("POST", "/echo", body), 400, "BAD_REQUEST");
  }

  @Test
  void json_nestedTooDeeply() throws Exception {
    assertRejected(web.send("POST", "/echo", "{\"a\":".repeat(5_000)), 413, "TOO_LARGE");
  }

  @Test
  void json_notUtf8() throws Exception {
    byte[] bytes = {'{', '"', (byte) 0xC3, '"', ':', '1', '}'};
    assertRejected(
        web.send("POST", "/echo", BodyPublishers.ofByteArray(bytes)), 400, "BAD_REQUEST");
  }

  @Test
  void fields_reportsAllProblems() throws Exception {
    JsonNode body =
        assertRejected(web.send("POST", "/fields", "{\"admin\":1,\"x\":2}"), 400, "BAD_REQUEST");
    assertThat(body.get("problems").findValuesAsText("path")).containsExactly("name", "admin", "x");
  }

  @Test
  void body_aboveTheGeneralLimit() throws Exception {
    String body = "{\"a\":\"" + "x".repeat(1 << 20) + "\"}";
    assertRejected(web.send("POST", "/echo", body), 413, "TOO_LARGE");
  }

  @Test
  void body_checkedByTheEndpoint() throws Exception {
    assertThat(web.send("POST", "/judged", "x".repeat(100)).body()).hasSize(100);
    assertThat(web.send("POST", "/judged", "x".repeat(10 << 20)).body()).isEqualTo("too long");
  }

  @Test
  void access_databaseUnavailable_answersAtOnce() throws Exception {
    Authenticator unavailable =
        _ -> {
          throw new IllegalStateException(new SQLException("connection refused", "08001"));
        };
    try (TestWeb failing = new TestWeb(WebConfig.local(0), WebServerTest::routes, unavailable)) {
      HttpResponse<String> response = failing.get("/hello/x", "Authorization", "Bearer user");
      assertThat(response.statusCode()).isEqualTo(503);
    }
  }

  @Test
  void access_byBearer() throws Exception {
    JsonNode body = assertRejected(web.get("/mine"), 401, "SIGN_IN_REQUIRED");
    assertThat(body.get("problems")).isEmpty();
    assertRejected(web.get("/mine", "Authorization", "Bearer wrong"), 401, "SIGN_IN_REQUIRED");
    assertThat(web.get("/mine", "Authorization", "bearer user").body()).isEqualTo("alice");
    assertRejected(web.get("/admin", "Authorization", "Bearer user"), 403, "FORBIDDEN");
    assertThat(web.get("/admin", "Authorization", "Bearer admin").body()).isEqualTo("root");
  }

  @Test
  void access_byCookie_changesRequireTheCsrfValue() throws Exception {
    String cookie = "trainyard_session=user";
    String csrf = CsrfProtection.csrfValue("user");
    assertThat(web.get("/mine", "Cookie", cookie).body()).isEqualTo("alice");
    assertRejected(web.send("POST", "/mine", "", "Cookie", cookie), 403, "FORBIDDEN");
    assertRejected(
        web.send("POST", "/mine", "", "Cookie", cookie, "X-CSRF-Token", "guess"), 403, "FORBIDDEN");
    assertRejected(
        web.send(
            "POST",
            "/mine",
            "",
            "Cookie",
            cookie,
            "X-CSRF-Token",
            csrf,
            "Origin",
            "https://evil.example"),
        403,
        "FORBIDDEN");
    assertThat(
            web.send(
                    "POST",
                    "/mine",
                    "",
                    "Cookie",
                    cookie,
                    "X-CSRF-Token",
                    csrf,
                    "Origin",
                    web.url.toString())
                .body())
        .isEqualTo("alice");
    assertThat(web.send("POST", "/mine", "", "Authorization", "Bearer user").body())
        .isEqualTo("alice");
  }

  @Test
  void origin_otherSite_rejectedEvenWithoutSignIn() throws Exception {
    assertRejected(
        web.send("POST", "/echo", "{}", "Origin", "https://evil.example"), 403, "FORBIDDEN");
    assertRejected(web.send("POST", "/echo", "{}", "Origin", "null"), 403, "FORBIDDEN");
  }

  @Test
  void request_notHttp() throws Exception {
    try (Socket socket = new Socket(web.url.getHost(), web.url.getPort())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write("\0\1\2 nonsense\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(response).matches("(?s)HTTP/1.. 400.*");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/hello/%zz", "/query?a=%zz"})
  void uri_invalidEncoding(String path) throws Exception {
    try (Socket socket = new Socket(web.url.getHost(), web.url.getPort())) {
      socket.setSoTimeout(20_000);
      String head = "GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
      String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(response).startsWith("HTTP/1.1 400").contains("BAD_REQUEST");
    }
  }

  @Test
  void connection_slowRequestHead_closed() throws Exception {
    WebConfig hasty =
        new WebConfig(
            "127.0.0.1",
            0,
            Optional.empty(),
            List.of(),
            TrustedProxies.NONE,
            Duration.ofMillis(200));
    try (TestWeb slow = new TestWeb(hasty, routes -> {});
        Socket socket = new Socket(slow.url.getHost(), slow.url.getPort())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write("GET / HT".getBytes(StandardCharsets.UTF_8));
      InputStream in = socket.getInputStream();
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  @Test
  void close_waitsForRequests() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    TestWeb closing =
        TestWeb.with(
            routes ->
                routes.add(
                    "GET",
                    "/slow",
                    Access.PUBLIC,
                    r -> {
                      arrived.countDown();
                      go.await();
                      return "finished";
                    }));
    // Not in the common pool, whose only thread on two processors would run one after the other.
    Executor threads = task -> Thread.ofPlatform().daemon().start(task);
    CompletableFuture<HttpResponse<String>> response =
        CompletableFuture.supplyAsync(() -> getUnchecked(closing, "/slow"), threads);
    arrived.await();
    CompletableFuture<Void> closed =
        CompletableFuture.runAsync(() -> closing.server().close(), threads);
    assertThatThrownBy(() -> closed.get(100, TimeUnit.MILLISECONDS)).isNotNull();
    go.countDown();
    assertThat(response.get(20, TimeUnit.SECONDS).body()).isEqualTo("finished");
    closed.get(20, TimeUnit.SECONDS);
  }

  @Test
  void close_interruptsStreams() throws Exception {
    CountDownLatch streaming = new CountDownLatch(2);
    CountDownLatch go = new CountDownLatch(1);
    Reply.Stream endless =
        sink -> {
          sink.write("piece".getBytes(StandardCharsets.UTF_8), 0, 5);
          streaming.countDown();
          while (!sink.closed()) {
            LockSupport.parkNanos(1_000_000);
          }
          go.countDown();
        };
    Reply.Stream complete =
        sink -> {
          streaming.countDown();
          awaitUnchecked(go);
          sink.write("whole".getBytes(StandardCharsets.UTF_8), 0, 5);
        };
    TestWeb closing =
        TestWeb.with(
            routes -> {
              routes.add("GET", "/endless", Access.PUBLIC, r -> Reply.of(200, endless));
              routes.add("GET", "/complete", Access.PUBLIC, r -> Reply.of(200, complete));
            });
    try (Socket one = sendGet(closing, "/endless");
        Socket other = sendGet(closing, "/complete")) {
      streaming.await();
      closing.server().close();
      assertThat(text(one)).contains("piece").doesNotContain("\r\n0\r\n");
      assertThat(text(other)).endsWith("whole\r\n0\r\n\r\n");
    }
  }

  @Test
  void listen_portUsedByATask_released() throws Exception {
    try (ServerSocket task = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.1"));
        WebServer server = unlimited(task.getLocalPort())) {
      server.onPortInUse(port -> port == task.getLocalPort() && closeQuietly(task));
      assertThat(server.listen().getPort()).isEqualTo(task.getLocalPort());
    }
  }

  @Test
  void listen_portHeldByAnotherProgram_namesIt() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.1"));
        WebServer server = unlimited(other.getLocalPort())) {
      assertThatThrownBy(server::listen)
          .isInstanceOf(AppException.class)
          .hasMessageContaining("cannot listen on 127.0.0.1:" + other.getLocalPort())
          .hasMessageContaining("process " + ProcessHandle.current().pid() + " (");
    }
  }

  private static WebServer unlimited(int port) {
    return new WebServer(
        WebConfig.local(port),
        token -> Optional.empty(),
        (method, route, status, took) -> {},
        InstantSource.system());
  }

  private static boolean closeQuietly(ServerSocket task) {
    try {
      task.close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static Socket sendGet(TestWeb web, String path) throws IOException {
    Socket socket = new Socket(web.url.getHost(), web.url.getPort());
    socket.setSoTimeout(20_000);
    String head = "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
    socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
    return socket;
  }

  private static String text(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static void awaitUnchecked(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static HttpResponse<String> getUnchecked(TestWeb web, String path) {
    try {
      return web.get(path);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode assertRejected(HttpResponse<String> response, int status, String code)
      throws Exception {
    JsonNode body = TestWeb.json(response);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(body.get("code").textValue()).isEqualTo(code);
    assertThat(body.get("message").textValue()).isNotEmpty().doesNotStartWith("error.");
    assertThat(response.headers().firstValue("x-request-id")).isPresent();
    return body;
  }
}
