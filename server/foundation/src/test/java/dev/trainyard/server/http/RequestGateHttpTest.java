package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.DataSize;
import dev.trainyard.server.work.Requester;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Few requests of one user are processed at a time, and those that only wait are not counted. */
@Timeout(60)
class RequestGateHttpTest {
  private static final int MANY = 3 * RequestDispatcher.MAX_CONCURRENT_READS;

  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger started = new AtomicInteger();

  private void routes(Routes routes) {
    routes.add("GET", "/large", Access.USER, _ -> List.of("x".repeat(16 << 20)));
    routes.add("POST", "/large", Access.USER, _ -> List.of("x".repeat(2 << 20)));
    routes.add("GET", "/quick", Access.USER, _ -> "ok");
    routes.add("POST", "/whose", Access.PUBLIC, _ -> Requester.current().knownKey());
    routes.add("GET", "/busy", Access.USER, _ -> busy());
    routes.add("POST", "/busy", Access.USER, _ -> busy());
    routes.add("GET", "/stream", Access.USER, _ -> Reply.of(200, (Reply.Stream) _ -> busy()));
    routes.add(
        "GET",
        "/remote",
        Access.USER,
        _ -> {
          Requester.current().endTurn();
          return busy();
        });
  }

  private String busy() {
    started.incrementAndGet();
    try {
      release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return "done";
  }

  private static List<Socket> sendRequests(TestWeb web, int count, String request)
      throws IOException {
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Socket socket = new Socket(web.url.getHost(), web.url.getPort());
      String text = request + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer user\r\n\r\n";
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      sockets.add(socket);
    }
    return sockets;
  }

  private static void awaitQueued(TestWeb web, int count) {
    while (web.server().queuedRequests() != count) {
      Thread.onSpinWait();
    }
  }

  private void awaitStarted(int count) {
    while (started.get() < count) {
      Thread.onSpinWait();
    }
  }

  private static void close(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  @Test
  void manyOfOneUser_fewAreProcessedAndOthersAreServed() throws Exception {
    try (TestWeb web = TestWeb.with(this::routes)) {
      List<Socket> many = sendRequests(web, MANY, "GET /busy");
      awaitQueued(web, MANY - RequestDispatcher.MAX_CONCURRENT_READS);
      assertThat(web.get("/quick", "Authorization", "Bearer admin").body()).isEqualTo("ok");
      assertThat(started).hasValue(RequestDispatcher.MAX_CONCURRENT_READS);

      List<Socket> disconnected = many.subList(MANY / 2, MANY);
      close(disconnected);
      release.countDown();
      for (Socket socket : many.subList(0, MANY / 2)) {
        assertThat(socket.getInputStream().read()).isNotNegative();
      }
      awaitQueued(web, 0);
      assertThat(web.get("/quick", "Authorization", "Bearer user").body()).isEqualTo("ok");
      close(many);
    }
  }

  @Test
  void clientDisconnects_queuedRequestIsDropped() throws Exception {
    try (TestWeb web = TestWeb.with(this::routes)) {
      List<Socket> first = sendRequests(web, RequestDispatcher.MAX_CONCURRENT_READS, "GET /busy");
      awaitStarted(RequestDispatcher.MAX_CONCURRENT_READS);
      List<Socket> queued = sendRequests(web, 5, "GET /busy");
      awaitQueued(web, 5);
      close(queued);
      awaitQueued(web, 0);
      release.countDown();
      close(first);
      assertThat(web.get("/quick", "Authorization", "Bearer user").body()).isEqualTo("ok");
      assertThat(started).hasValue(RequestDispatcher.MAX_CONCURRENT_READS);
    }
  }

  @Test
  void largeResponses_notRead_areLimited() throws Exception {
    try (TestWeb web = TestWeb.with(this::routes)) {
      List<Socket> unread = sendRequests(web, RequestDispatcher.MAX_LARGE_RESPONSES, "GET /large");
      for (Socket socket : unread) {
        assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.UTF_8))
            .isEqualTo("HTTP/1.1 200");
      }
      assertThat(web.get("/large", "Authorization", "Bearer user").statusCode()).isEqualTo(429);
      assertThat(web.get("/quick", "Authorization", "Bearer user").statusCode()).isEqualTo(200);
      assertThat(web.get("/large", "Authorization", "Bearer admin").statusCode()).isEqualTo(200);
      close(unread);
      while (web.get("/large", "Authorization", "Bearer user").statusCode() != 200) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void responses_notRead_areLimitedByTheirBytes() throws Exception {
    LoadLimits usual = LoadLimits.ofThisProcess();
    LoadLimits limits =
        new LoadLimits(
            usual.bodyStall(),
            usual.bodyBytesPerSecond(),
            usual.bodies(),
            DataSize.ofMegabytes(24),
            usual.connections(),
            usual.connectionsPerAddress());
    try (TestWeb web = new TestWeb(WebConfig.local(0).with(limits), this::routes)) {
      Socket unread = sendRequests(web, 1, "GET /large").getFirst();
      unread.getInputStream().readNBytes(12);
      HttpResponse<String> rejected = web.get("/large", "Authorization", "Bearer user");
      assertThat(rejected.statusCode()).isEqualTo(429);
      assertThat(rejected.body()).contains("error.unread-responses");
      assertThat(web.get("/quick", "Authorization", "Bearer user").statusCode()).isEqualTo(200);

      assertThat(web.get("/large", "Authorization", "Bearer admin").statusCode()).isEqualTo(200);
      assertThat(bytesUntilTheEnd(unread)).isLessThan(16 << 20);
      unread.close();
    }
  }

  /** The change is already stored, and clients repeat a request that was rejected. */
  @Test
  void responseToChange_isSentDespiteUnreadResponses() throws Exception {
    try (TestWeb web = TestWeb.with(this::routes)) {
      List<Socket> unread = sendRequests(web, RequestDispatcher.MAX_LARGE_RESPONSES, "GET /large");
      for (Socket socket : unread) {
        assertThat(socket.getInputStream().readNBytes(12)).hasSize(12);
      }
      assertThat(web.get("/large", "Authorization", "Bearer user").statusCode()).isEqualTo(429);
      assertThat(web.send("POST", "/large", "", "Authorization", "Bearer user").statusCode())
          .isEqualTo(200);
      close(unread);
    }
  }

  /** An aborted connection may also be reset. */
  private static long bytesUntilTheEnd(Socket socket) {
    long count = 0;
    byte[] buffer = new byte[64 << 10];
    try {
      for (int n = 0; n >= 0; n = socket.getInputStream().read(buffer)) {
        count += n;
      }
    } catch (IOException e) {
      return count;
    }
    return count;
  }

  @Test
  void endpoint_writes_areAttributedToUser() throws Exception {
    try (TestWeb web = TestWeb.with(this::routes)) {
      assertThat(web.send("POST", "/whose", "", "Authorization", "Bearer user").body())
          .isEqualTo("user u1");
      assertThat(web.send("POST", "/whose", "").body()).startsWith("address ");
    }
  }

  @Test
  void requestsThatOnlyWait_areNotCounted() throws Exception {
    try (TestWeb web = TestWeb.with(this::routes)) {
      List<Socket> waiting = new ArrayList<>();
      for (String request : List.of("GET /stream", "GET /remote", "POST /busy")) {
        waiting.addAll(sendRequests(web, MANY, request));
      }
      awaitStarted(3 * MANY);
      assertThat(web.get("/quick", "Authorization", "Bearer user").body()).isEqualTo("ok");
      release.countDown();
      close(waiting);
    }
  }
}
