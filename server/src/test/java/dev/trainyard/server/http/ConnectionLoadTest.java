package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.DataSize;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** More connections than the server keeps. */
class ConnectionLoadTest {
  private static final LoadLimits TWENTY =
      new LoadLimits(Duration.ofSeconds(30), 1_024, DataSize.ofMegabytes(4), 20, 20);

  private final CountDownLatch end = new CountDownLatch(1);

  private void routes(Routes routes) {
    routes.add("GET", "/open", Access.PUBLIC, request -> "ok");
    routes.add("POST", "/open", Access.PUBLIC, request -> "ok");
    routes.add(
        "GET",
        "/stream",
        Access.USER,
        request ->
            Reply.of(
                200,
                (Reply.Stream)
                    sink -> {
                      sink.write(new byte[] {'a'}, 0, 1);
                      awaitEnd();
                      sink.write(new byte[] {'z'}, 0, 1);
                    }));
  }

  private void awaitEnd() {
    try {
      assertThat(end.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void connections_idleOnesGiveWay() throws Exception {
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
      assertThat(web.server().openConnections()).isLessThanOrEqualTo(25);
      end.countDown();
      stream.send("");
      assertThat(read(stream)).as("a stream of a user stays").contains("a", "z");
    } finally {
      close(clients);
    }
  }

  @Test
  void connections_unfinishedRequestsOfStrangersGiveWay() throws Exception {
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

  private static void sendPart(RawClient client) {
    try {
      client.post("/open", 10_000).send("x");
    } catch (IOException e) {
      // It had to give way already.
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
