package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.AppException;
import dev.trainyard.server.limit.Rate;
import dev.trainyard.server.limit.RateLimitConfig;
import dev.trainyard.server.limit.RequestLimits;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Limits as observed by a client. Client addresses come from a trusted proxy. */
class LimitHttpTest {
  private static final Map<String, Caller> CALLERS =
      Map.of(
          "alice", new Caller("u1", "alice", false, "t1"),
          "script", new Caller("u1", "alice", false, "t2", Scope.READ, true, ""),
          "bob", new Caller("u2", "bob", false, "t3"),
          "machine", new Caller("u0", "admin", true, "t0", Scope.ALL, false, "", "", true));
  private static final String HERE = "192.0.2.1";

  private final AtomicLong now = new AtomicLong();
  private final CountDownLatch streaming = new CountDownLatch(2);
  private final CountDownLatch streamMayEnd = new CountDownLatch(1);
  private TestWeb web =
      start(
          new RateLimitConfig(
              Optional.of(Rate.parse("4/m")),
              Optional.of(Rate.parse("3/m")),
              Optional.of(Rate.parse("1/h")),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty()));

  private TestWeb start(RateLimitConfig rateLimitConfig) {
    return new TestWeb(
        new WebConfig(
            "127.0.0.1",
            0,
            Optional.empty(),
            List.of(),
            TrustedProxies.parse("127.0.0.1"),
            Duration.ofSeconds(60)),
        this::routes,
        token -> Optional.ofNullable(CALLERS.get(token)),
        new RequestLimits(rateLimitConfig, now::get));
  }

  private void routes(Routes routes) {
    routes.add("GET", "/healthz", Access.PUBLIC, request -> "ok");
    routes.add("GET", "/open", Access.PUBLIC, request -> "ok");
    routes.add("GET", "/mine", Access.USER, request -> request.caller().userName());
    routes.add("POST", "/api/v3/jobs", Access.JOBS, request -> request.caller().userName());
    routes.add(
        "GET",
        "/stream",
        Access.USER,
        request -> Reply.of(200, (Reply.Stream) this::streamUntilEnd));
    routes.addForeign(
        "GET",
        "/theirs",
        BodyLimit.GENERAL,
        Admission.OPEN,
        request -> "ok",
        LimitHttpTest::foreignReply);
  }

  private void streamUntilEnd(Reply.Sink sink) throws IOException {
    sink.write(new byte[] {'a'}, 0, 1);
    streaming.countDown();
    try {
      assertThat(streamMayEnd.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static Reply foreignReply(AppException refusal) {
    return Reply.of(refusal.code().status(), "theirs: " + refusal.getMessage());
  }

  @AfterEach
  void close() {
    streamMayEnd.countDown();
    web.close();
  }

  private HttpResponse<String> send(String token, String address, String method, String path)
      throws Exception {
    return token.isEmpty()
        ? web.send(method, path, "", "X-Forwarded-For", address)
        : web.send(
            method, path, "", "X-Forwarded-For", address, "Authorization", "Bearer " + token);
  }

  private int status(String token, String address, String path) throws Exception {
    return send(token, address, "GET", path).statusCode();
  }

  @Test
  void user_aboveLimit_rejectedWithRetryAfter() throws Exception {
    for (int i = 0; i < 4; i++) {
      assertThat(status("script", "192.0.2." + i, "/mine")).isEqualTo(200);
    }
    HttpResponse<String> rejected = send("script", "192.0.2.9", "GET", "/mine");
    assertThat(rejected.statusCode()).isEqualTo(429);
    assertThat(rejected.headers().firstValue("Retry-After")).contains("15");
    assertThat(rejected.body())
        .contains("\"TOO_MANY_REQUESTS\"", "error.too-many-requests", "\"seconds\":15");
    assertThat(status("script", HERE, "/open")).isEqualTo(429);
    assertThat(status("alice", HERE, "/mine")).as("in person").isEqualTo(200);
    assertThat(status("script", HERE, "/healthz")).isEqualTo(200);
    assertThat(status("bob", HERE, "/mine")).isEqualTo(200);
    now.addAndGet(Duration.ofSeconds(15).toNanos());
    assertThat(status("script", HERE, "/mine")).isEqualTo(200);
  }

  @Test
  void address_limitsClientsNotSignedIn() throws Exception {
    assertThat(status("", HERE, "/open")).isEqualTo(200);
    assertThat(status("guessed", HERE, "/mine")).isEqualTo(401);
    assertThat(status("", HERE, "/no-such-page")).isEqualTo(404);
    assertThat(status("guessed", HERE, "/mine")).isEqualTo(429);
    assertThat(status("", HERE, "/no-such-page")).isEqualTo(429);
    assertThat(status("alice", HERE, "/mine")).isEqualTo(200);
    assertThat(status("", "192.0.2.2", "/open")).isEqualTo(200);
    // A value that the client itself added before the one of the proxy is not trusted.
    assertThat(status("", "198.51.100.1, " + HERE, "/open")).isEqualTo(429);
  }

  @Test
  void foreignRoute_rejectsInItsOwnFormat() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(status("", HERE, "/theirs")).isEqualTo(200);
    }
    HttpResponse<String> rejected = send("", HERE, "GET", "/theirs");
    assertThat(rejected.statusCode()).isEqualTo(429);
    assertThat(rejected.body())
        .startsWith("theirs: rate limit for requests without sign-in from your address");
  }

  @Test
  void submission_hasSeparateLimit() throws Exception {
    assertThat(send("alice", HERE, "POST", "/api/v3/jobs").statusCode()).isEqualTo(200);
    HttpResponse<String> rejected = send("alice", HERE, "POST", "/api/v3/jobs");
    assertThat(rejected.statusCode()).isEqualTo(429);
    assertThat(rejected.headers().firstValue("Retry-After")).contains("3600");
    assertThat(status("alice", HERE, "/mine")).isEqualTo(200);
  }

  @Test
  void localToken_isNotLimited() throws Exception {
    for (int i = 0; i < 20; i++) {
      assertThat(send("machine", HERE, "POST", "/api/v3/jobs").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void stream_holdsItsSlotUntilItEnds() throws Exception {
    web.close();
    web = start(twoConcurrentRequests());
    CompletableFuture<Integer> one = stream();
    CompletableFuture<Integer> two = stream();
    assertThat(streaming.await(20, TimeUnit.SECONDS)).isTrue();
    HttpResponse<String> rejected = send("alice", HERE, "GET", "/mine");
    assertThat(rejected.statusCode()).isEqualTo(429);
    assertThat(rejected.body()).contains("error.too-many-open");
    assertThat(status("bob", HERE, "/mine")).isEqualTo(200);
    streamMayEnd.countDown();
    assertThat(one.get(20, TimeUnit.SECONDS)).isEqualTo(200);
    assertThat(two.get(20, TimeUnit.SECONDS)).isEqualTo(200);
    // Their slots are released shortly after the last byte.
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (status("alice", HERE, "/mine") != 200) {
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }

  private static RateLimitConfig twoConcurrentRequests() {
    return new RateLimitConfig(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(2),
        Optional.empty());
  }

  private CompletableFuture<Integer> stream() {
    CompletableFuture<Integer> status = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                status.complete(status("alice", HERE, "/stream"));
              } catch (Exception e) {
                status.completeExceptionally(e);
              }
            });
    return status;
  }
}
