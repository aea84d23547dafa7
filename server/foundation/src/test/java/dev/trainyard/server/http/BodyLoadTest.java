package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.DataSize;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Bodies that are large, incomplete, slow or sent by clients that are not signed in. */
class BodyLoadTest {
  private static final LoadLimits SMALL =
      new LoadLimits(
          Duration.ofSeconds(30),
          1_024,
          DataSize.ofMegabytes(4),
          DataSize.ofMegabytes(64),
          1_000,
          1_000);

  private static TestWeb web(LoadLimits limits) {
    return new TestWeb(WebConfig.local(0).with(limits), BodyLoadTest::routes);
  }

  private static void routes(Routes routes) {
    routes.add("GET", "/livez", Access.PUBLIC, request -> "ok");
    routes.add("POST", "/open", Access.PUBLIC, request -> request.text().length());
    routes.add("POST", "/mine", Access.USER, request -> request.text().length());
    routes.add(
        "POST",
        "/stream",
        Access.USER,
        BodyLimit.streamed(DataSize.ofMegabytes(100)),
        request -> request.stream().readAllBytes().length);
    routes.addForeign(
        "POST",
        "/theirs",
        BodyLimit.of(DataSize.ofMegabytes(4)),
        request ->
            request.signedInCaller().isPresent()
                ? Optional.empty()
                : Optional.of(Reply.of(401, "unknown")),
        request -> request.text().length(),
        refusal -> Reply.of(refusal.code().status(), "refused"));
  }

  @Test
  void body_notSignedIn_rejectedBeforeReading() throws Exception {
    try (TestWeb web = web(SMALL)) {
      for (String path : List.of("/mine", "/theirs", "/stream")) {
        try (RawClient client = new RawClient(web.url)) {
          client.post(path, 900_000, "Authorization: Bearer wrong").send("x".repeat(10_000));
          assertThat(client.status()).as(path).startsWith("HTTP/1.1 401");
        }
      }
    }
  }

  @Test
  void body_notSignedIn_smallLimit() throws Exception {
    try (TestWeb web = web(SMALL)) {
      assertThat(web.send("POST", "/open", "x".repeat(32 << 10)).statusCode()).isEqualTo(200);
      assertThat(web.send("POST", "/open", "x".repeat(33 << 10)).statusCode()).isEqualTo(413);
      var signedIn = web.send("POST", "/mine", "x".repeat(900_000), "Authorization", "Bearer user");
      assertThat(signedIn.body()).isEqualTo("900000");
    }
  }

  @Test
  void body_incompleteOfOneUser_othersKeepTheirShare() throws Exception {
    List<RawClient> clients = new ArrayList<>();
    try (TestWeb web = web(SMALL)) {
      for (int i = 0; i < 8; i++) {
        RawClient client = new RawClient(web.url);
        clients.add(client);
        client.post("/mine", 500_000, "Authorization: Bearer user").send("x".repeat(400_000));
      }
      // Two of them fit into a quarter of 4 MB; others are rejected without waiting for their end.
      BlockingQueue<String> answers = new LinkedBlockingQueue<>();
      clients.forEach(client -> Thread.ofVirtual().start(() -> answers.add(statusOf(client))));
      assertThat(answers.poll(20, TimeUnit.SECONDS)).startsWith("HTTP/1.1 429");
      var other = web.send("POST", "/mine", "x".repeat(900_000), "Authorization", "Bearer admin");
      assertThat(other.body()).isEqualTo("900000");
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
  }

  @Test
  void body_incompleteOfGuests_droppedForANewOne() throws Exception {
    List<RawClient> clients = new ArrayList<>();
    try (TestWeb web = web(SMALL)) {
      // More than the share of one address, a sixteenth of 4 MB.
      for (int i = 0; i < 20; i++) {
        RawClient client = new RawClient(web.url);
        clients.add(client);
        client.post("/open", 31_000).send("x".repeat(30_000));
      }
      BlockingQueue<String> answers = new LinkedBlockingQueue<>();
      clients.forEach(client -> Thread.ofVirtual().start(() -> answers.add(statusOf(client))));
      assertThat(answers.poll(20, TimeUnit.SECONDS)).startsWith("HTTP/1.1 503");
      assertThat(web.send("POST", "/open", "x".repeat(30_000)).body()).isEqualTo("30000");
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
  }

  @Test
  void body_stalled_closed() throws Exception {
    var hasty =
        new LoadLimits(
            Duration.ofMillis(300),
            1,
            DataSize.ofMegabytes(4),
            DataSize.ofMegabytes(64),
            1_000,
            1_000);
    try (TestWeb web = web(hasty)) {
      for (String path : List.of("/mine", "/stream", "/theirs")) {
        try (RawClient client = new RawClient(web.url)) {
          client.post(path, 10_000, "Authorization: Bearer user").send("x".repeat(5_000));
          assertThat(client.rest()).as(path).isEmpty();
        }
      }
    }
  }

  private static String statusOf(RawClient client) {
    try {
      return client.status();
    } catch (IOException e) {
      return "";
    }
  }
}
