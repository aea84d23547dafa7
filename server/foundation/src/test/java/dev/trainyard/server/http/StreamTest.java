package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StreamTest {
  @Test
  void stream_arrivesInPieces() throws Exception {
    CountDownLatch firstRead = new CountDownLatch(1);
    Reply.Stream stream =
        sink -> {
          write(sink, "first\n");
          awaitQuietly(firstRead);
          write(sink, "second\n");
        };
    try (TestWeb web = serving(stream);
        Socket socket = request(web, "GET")) {
      InputStream in = socket.getInputStream();
      readUntil(in, "first");
      firstRead.countDown();
      readUntil(in, "second");
      readUntil(in, "\r\n0\r\n");
    }
  }

  @Test
  void stream_headRequest_isNotRun() throws Exception {
    try (TestWeb web =
        serving(
            sink -> {
              throw new AssertionError("must not run");
            })) {
      HttpResponse<String> response = web.send("HEAD", "/stream", "");
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body()).isEmpty();
    }
  }

  @Test
  void stream_silent_detectsDisconnect() throws Exception {
    CountDownLatch streamStarted = new CountDownLatch(1);
    CompletableFuture<Boolean> noticed = new CompletableFuture<>();
    Reply.Stream stream =
        sink -> {
          streamStarted.countDown();
          while (!sink.closed()) {
            Thread.onSpinWait();
          }
          noticed.complete(true);
        };
    try (TestWeb web = serving(stream)) {
      try (Socket socket = request(web, "GET")) {
        streamStarted.await();
        assertThat(noticed).isNotDone();
        assertThat(socket.isConnected()).isTrue();
      }
      assertThat(noticed.get(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void stream_silent_isNotClosedAsIdle() throws Exception {
    CountDownLatch idleOneClosed = new CountDownLatch(1);
    Reply.Stream stream =
        sink -> {
          write(sink, "begun");
          awaitQuietly(idleOneClosed);
          write(sink, "still there");
        };
    WebConfig hasty =
        new WebConfig(
            "127.0.0.1",
            0,
            Optional.empty(),
            List.of(),
            TrustedProxies.NONE,
            Duration.ofMillis(500));
    try (TestWeb web =
            new TestWeb(
                hasty,
                routes -> routes.add("GET", "/stream", Access.PUBLIC, r -> Reply.of(200, stream)));
        Socket socket = request(web, "GET")) {
      readUntil(socket.getInputStream(), "begun");
      try (Socket idle = new Socket(web.url.getHost(), web.url.getPort())) {
        idle.setSoTimeout(20_000);
        assertThat(idle.getInputStream().read()).isEqualTo(-1);
      }
      idleOneClosed.countDown();
      readUntil(socket.getInputStream(), "still there");
    }
  }

  @Test
  void stream_slowClient_blocksUntilDisconnect() throws Exception {
    AtomicLong written = new AtomicLong();
    CompletableFuture<Exception> ended = new CompletableFuture<>();
    Reply.Stream stream =
        sink -> {
          byte[] piece = new byte[64 << 10];
          try {
            while (written.get() < 1L << 32) {
              sink.write(piece, 0, piece.length);
              written.addAndGet(piece.length);
            }
          } catch (java.io.IOException e) {
            ended.complete(e);
            throw e;
          }
        };
    try (TestWeb web = serving(stream)) {
      try (Socket socket = request(web, "GET")) {
        readUntil(socket.getInputStream(), "\r\n\r\n");
        // The client does not read: the stream must block long before it has written everything.
        long before = -1;
        while (written.get() == 0 || written.get() != before) {
          before = written.get();
          assertThat(ended.isDone()).isFalse();
          TimeUnit.MILLISECONDS.sleep(200);
        }
        assertThat(before).isLessThan(100L << 20);
      }
      assertThat(ended.get(20, TimeUnit.SECONDS))
          .hasMessageContaining("the client has disconnected");
    }
  }

  /**
   * The stream must not end with a regular last chunk, because a client must notice that it is
   * incomplete.
   */
  @Test
  void stream_serverStops_connectionBreaks() throws Exception {
    CountDownLatch streamStarted = new CountDownLatch(1);
    Reply.Stream stream =
        sink -> {
          write(sink, "begun");
          streamStarted.countDown();
          while (!sink.closed()) {
            Thread.onSpinWait();
          }
          write(sink, "last words");
        };
    TestWeb web = serving(stream);
    try (Socket socket = request(web, "GET")) {
      streamStarted.await();
      web.close();
      String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(all).contains("begun", "last words").doesNotEndWith("0\r\n\r\n");
    }
  }

  @Test
  void stream_fails_connectionBreaks() throws Exception {
    Reply.Stream stream =
        sink -> {
          write(sink, "half");
          throw new IllegalStateException("disk");
        };
    try (TestWeb web = serving(stream);
        Socket socket = request(web, "GET")) {
      String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(all).contains("half").doesNotContain("disk").doesNotEndWith("0\r\n\r\n");
    }
  }

  private static TestWeb serving(Reply.Stream stream) {
    return TestWeb.with(
        routes -> routes.add("GET", "/stream", Access.PUBLIC, r -> Reply.of(200, stream)));
  }

  private static Socket request(TestWeb web, String method) throws java.io.IOException {
    Socket socket = new Socket(web.url.getHost(), web.url.getPort());
    socket.setSoTimeout(20_000);
    String head = method + " /stream HTTP/1.1\r\nHost: localhost\r\n\r\n";
    socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
    return socket;
  }

  private static void readUntil(InputStream in, String text) throws java.io.IOException {
    StringBuilder seen = new StringBuilder();
    while (seen.indexOf(text) < 0) {
      int next = in.read();
      assertThat(next).as("end before %s in %s", text, seen).isNotEqualTo(-1);
      seen.append((char) next);
    }
  }

  private static void write(Reply.Sink sink, String text) throws java.io.IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    sink.write(bytes, 0, bytes.length);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
