package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests request heads that are short to send and expensive to handle. */
class RequestHeadTest {
  private static final String GET = "GET /open HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String LAST = "GET /open HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

  private final CountDownLatch requestStarted = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger answered = new AtomicInteger();
  private final TestWeb web =
      TestWeb.with(
          routes -> {
            routes.add("GET", "/open", Access.PUBLIC, request -> answered.incrementAndGet());
            routes.add("GET", "/slow", Access.PUBLIC, request -> awaitEnd());
            routes.add("GET", "/query", Access.PUBLIC, r -> r.query("a").orElse("").length());
            routes.add("POST", "/echo", Access.PUBLIC, request -> Reply.of(200, request.text()));
          });

  private String awaitEnd() throws InterruptedException {
    requestStarted.countDown();
    assertThat(end.await(20, TimeUnit.SECONDS)).isTrue();
    return "slow";
  }

  @AfterEach
  void close() {
    end.countDown();
    web.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"%61", "a", "/", "/..", "%"})
  void path_tooLong_rejected(String part) throws Exception {
    String path = "/" + part.repeat(WebServer.MAX_PATH_LENGTH / part.length());
    assertThat(responseTo("GET " + path + "aaa HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 414")
        .contains("\"URL_TOO_LONG\"", "error.path-too-long", "\"limit\":4096")
        .containsIgnoringCase("x-request-id");
  }

  @Test
  void path_longest_isRouted() throws Exception {
    HttpResponse<String> response = web.get("/" + "a".repeat(WebServer.MAX_PATH_LENGTH - 1));
    assertThat(response.statusCode()).isEqualTo(404);
  }

  @Test
  void query_long_isNotLimitedLikeThePath() throws Exception {
    assertThat(web.get("/query?a=" + "%61".repeat(20_000)).body()).isEqualTo("20000");
  }

  private String responseTo(String request) throws IOException {
    try (RawClient client = new RawClient(web.url)) {
      return client.send(request).rest();
    }
  }

  private static String headers(int count) {
    return "a:\r\n".repeat(count);
  }

  @Test
  void headers_tooMany_rejected() throws Exception {
    String head = "GET /open HTTP/1.1\r\nHost: a\r\n";
    assertThat(responseTo(head + headers(StrictFraming.MAX_HEADERS) + "\r\n"))
        .startsWith("HTTP/1.1 431");
    assertThat(responseTo(head + headers(StrictFraming.MAX_HEADERS)))
        .as("rejected before the end of the head")
        .startsWith("HTTP/1.1 431");
    assertThat(answered).hasValue(0);
  }

  @Test
  void headers_maximum_areCountedForEachRequest() throws Exception {
    String headers = headers(StrictFraming.MAX_HEADERS - 2) + "\r\n";
    String head = "GET /open HTTP/1.1\r\nHost: a\r\nConnection: ";
    assertThat(responseTo(head + "keep-alive\r\n" + headers + head + "close\r\n" + headers))
        .startsWith("HTTP/1.1 200")
        .doesNotContain("431");
    assertThat(answered).hasValue(2);
  }

  @Test
  void trailers_tooMany_connectionIsClosed() throws Exception {
    String head = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    assertThat(responseTo(head + "1\r\nx\r\n0\r\n" + headers(StrictFraming.MAX_HEADERS) + "\r\n"))
        .doesNotContain("HTTP/1.1 200");
  }

  @Test
  void pipeline_long_isAnsweredInOrder() throws Exception {
    int count = 5_000;
    try (RawClient client = new RawClient(web.url)) {
      client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(requestStarted.await(20, TimeUnit.SECONDS)).isTrue();
      client.send(GET.repeat(count - 1) + LAST);
      end.countDown();
      assertThat(client.rest()).containsSubsequence("slow", "HTTP/1.1 200").endsWith("" + count);
    }
    assertThat(answered).hasValue(count);
  }

  @Test
  void pipeline_bodies_belongToTheirRequests() throws Exception {
    String post = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nbody-";
    try (RawClient client = new RawClient(web.url)) {
      client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n" + post + "1" + post + "2" + post);
      assertThat(requestStarted.await(20, TimeUnit.SECONDS)).isTrue();
      end.countDown();
      client.send("3" + LAST);
      assertThat(client.rest()).containsSubsequence("slow", "body-1", "body-2", "body-3");
    }
  }

  @Test
  void pipeline_requestPending_nothingElseIsDecoded() {
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.pipeline().addLast("httpDecoder", new ChannelInboundHandlerAdapter());
    StrictFraming.apply(channel, new HttpServerOptions());
    channel.writeInbound(Unpooled.copiedBuffer(GET.repeat(3), StandardCharsets.US_ASCII));
    assertThat(takeRequests(channel)).isEqualTo(1);
    assertThat(channel.config().isAutoRead()).as("reading").isFalse();
    StrictFraming.requestBegins(channel);
    channel.runPendingTasks();
    assertThat(takeRequests(channel)).as("the second waits for the first").isEqualTo(1);
    channel.writeInbound(Unpooled.copiedBuffer(GET, StandardCharsets.US_ASCII));
    assertThat(takeRequests(channel)).isEqualTo(0);
    StrictFraming.requestBegins(channel);
    channel.runPendingTasks();
    assertThat(takeRequests(channel)).isEqualTo(1);
    assertThat(channel.config().isAutoRead()).as("the fourth is not decoded").isFalse();
    StrictFraming.requestBegins(channel);
    channel.runPendingTasks();
    assertThat(takeRequests(channel)).isEqualTo(1);
    assertThat(channel.config().isAutoRead()).as("reading").isTrue();
    channel.finishAndReleaseAll();
  }

  @Test
  void pipeline_becomesWebSocket_isReadAgain() {
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.pipeline().addLast("httpDecoder", new ChannelInboundHandlerAdapter());
    StrictFraming.apply(channel, new HttpServerOptions());
    channel.writeInbound(Unpooled.copiedBuffer(GET.repeat(2), StandardCharsets.US_ASCII));
    assertThat(channel.config().isAutoRead()).as("reading").isFalse();
    channel.pipeline().remove("httpDecoder");
    assertThat(channel.config().isAutoRead()).as("reading").isTrue();
    channel.finishAndReleaseAll();
  }

  private static int takeRequests(EmbeddedChannel channel) {
    int count = 0;
    for (Object read = channel.readInbound(); read != null; read = channel.readInbound()) {
      count += read instanceof HttpRequest ? 1 : 0;
      ReferenceCountUtil.release(read);
    }
    return count;
  }

  @Test
  void keepAlive_manyRequests_areNotCounted() throws Exception {
    try (RawClient client = new RawClient(web.url)) {
      for (int i = 0; i < 80; i++) {
        client.send("HEAD /query?a=b HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(client.status()).isEqualTo("HTTP/1.1 200 OK");
        client.skipHead();
      }
      client.post("/echo", 1, "Expect: 100-continue", "Connection: close");
      assertThat(client.status()).isEqualTo("HTTP/1.1 100 Continue");
      assertThat(client.send("x").rest()).contains("HTTP/1.1 200 OK").endsWith("x");
    }
  }
}
