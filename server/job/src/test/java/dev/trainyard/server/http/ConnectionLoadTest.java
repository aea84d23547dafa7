package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.DataSize;
import dev.trainyard.server.queue.JobFixture;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests more connections than the server keeps. */
class ConnectionLoadTest {
  private static final LoadLimits TWENTY =
      new LoadLimits(
          Duration.ofSeconds(30), 1_024, DataSize.ofMegabytes(4), DataSize.ofMegabytes(64), 20, 20);

  private final CountDownLatch end = new CountDownLatch(1);

  private void routes(Routes routes) {
    routes.add("GET", "/open", Access.PUBLIC, request -> "ok");
    routes.add("POST", "/open", Access.PUBLIC, request -> "ok");
    routes.add("GET", "/stream", Access.USER, request -> stream());
    // The only path below which the token of a job is accepted.
    routes.add("GET", "/api/v3/jobs/:job/stream", Access.USER, request -> stream());
  }

  private Reply stream() {
    return Reply.of(
        200,
        (Reply.Stream)
            sink -> {
              sink.write(new byte[] {'a'}, 0, 1);
              awaitEnd();
              sink.write(new byte[] {'z'}, 0, 1);
            });
  }

  private void awaitEnd() {
    try {
      assertThat(end.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Connections above the limit that may still be closing before the server accepts no more. */
  private static final int CLOSING = 16;

  @Test
  void connections_tooMany_idleOnesAreClosed() throws Exception {
    List<RawClient> clients = new ArrayList<>();
    try (TestWeb web = new TestWeb(WebConfig.local(0).with(TWENTY), this::routes);
        RawClient stream = new RawClient(web.url)) {
      stream.send("GET /stream HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer user\r\n\r\n");
      assertThat(stream.status()).startsWith("HTTP/1.1 200");
      for (int i = 0; i < 60; i++) {
        clients.add(new RawClient(web.url));
      }
      assertThat(web.get("/open").statusCode()).isEqualTo(200);
      assertThat(clients.getFirst().rest()).as("the oldest is closed").isEmpty();
      assertThat(web.server().openConnections()).isLessThanOrEqualTo(20 + CLOSING);
      end.countDown();
      stream.send("");
      assertThat(read(stream)).as("a stream of a user stays").contains("a", "z");
    } finally {
      close(clients);
    }
  }

  @Test
  void connections_tooMany_unauthenticatedUnfinishedOnesAreClosed() throws Exception {
    List<RawClient> clients = new ArrayList<>();
    try (TestWeb web = new TestWeb(WebConfig.local(0).with(TWENTY), this::routes)) {
      for (int i = 0; i < 60; i++) {
        RawClient client = new RawClient(web.url);
        clients.add(client);
        sendPart(client);
      }
      assertThat(web.get("/open").statusCode()).isEqualTo(200);
    } finally {
      close(clients);
    }
  }

  private static final Caller ALICE = new Caller("u1", "alice", false, "t1");

  private static Optional<Caller> caller(String token) {
    return switch (token) {
      case "user" -> Optional.of(ALICE);
      case "job" -> Optional.of(Caller.ofJob("u1", "alice", "j1"));
      default -> Optional.ofNullable(TestWeb.CALLERS.get(token));
    };
  }

  private static RawClient stream(TestWeb web, String token) throws IOException {
    String path = token.equals("job") ? "/api/v3/jobs/j1/stream" : "/stream";
    return new RawClient(web.url)
        .send(
            "GET %s HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\n\r\n"
                .formatted(path, token));
  }

  /** One user may use a quarter of twenty connections, and the user's tasks half of those. */
  @Test
  void connections_streamsOfOneUser_limited() throws Exception {
    List<RawClient> clients = new ArrayList<>();
    try (TestWeb web =
        new TestWeb(WebConfig.local(0).with(TWENTY), this::routes, ConnectionLoadTest::caller)) {
      List<String> tokens = new ArrayList<>(Collections.nCopies(10, "job"));
      tokens.addAll(Collections.nCopies(10, "user"));
      List<String> statuses = new ArrayList<>();
      for (String token : tokens) {
        clients.add(stream(web, token));
        statuses.add(token + clients.getLast().status().substring("HTTP/1.1".length(), 12));
      }
      assertThat(Collections.frequency(statuses, "job 200")).isEqualTo(2);
      assertThat(Collections.frequency(statuses, "user 200")).isEqualTo(3);
      assertThat(Collections.frequency(statuses, "job 429")).isEqualTo(8);
      assertThat(web.get("/open", "Authorization", "Bearer admin").statusCode()).isEqualTo(200);
      HttpResponse<String> rejected = web.get("/open", "Authorization", "Bearer user");
      assertThat(rejected.statusCode()).isEqualTo(429);
      assertThat(rejected.headers().firstValue("Retry-After")).contains("5");

      clients.getFirst().close();
      JobFixture.eventually(
          () -> status(web, "/open") == 200, "an answer after a stream has been closed");
      end.countDown();
    } finally {
      end.countDown();
      close(clients);
    }
  }

  private static int status(TestWeb web, String path) {
    try {
      return web.get(path, "Authorization", "Bearer user").statusCode();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void sendPart(RawClient client) {
    try {
      client.post("/open", 10_000).send("x");
    } catch (IOException e) {
      // The server has already closed it.
    }
  }

  private static String read(RawClient client) throws Exception {
    StringBuilder seen = new StringBuilder();
    while (seen.indexOf("z") < 0) {
      String line = client.status();
      if (line.isEmpty()) {
        break;
      }
      seen.append(line);
    }
    return seen.toString();
  }

  private static void close(List<RawClient> clients) throws Exception {
    for (RawClient client : clients) {
      client.close();
    }
  }
}
