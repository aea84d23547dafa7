package dev.trainyard.server.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.http.WebConfig;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work whose client closes its connection is canceled. */
@Timeout(60)
class DisconnectHttpTest {
  private final WorkPool pool = new WorkPool("test", 1, 1, 10);
  private final CountDownLatch workStarted = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicBoolean second = new AtomicBoolean();

  private String runUntilCanceled() {
    workStarted.countDown();
    try {
      while (true) {
        Requester.requireCurrent();
        Thread.onSpinWait();
      }
    } finally {
      ended.countDown();
    }
  }

  private static Socket sendGet(TestWeb web, String path) throws IOException {
    Socket socket = new Socket(web.url().getHost(), web.url().getPort());
    String request = "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
    return socket;
  }

  @Test
  void clientDisconnects_queuedWorkIsDroppedAndRunningWorkStops() throws Exception {
    try (TestWeb web =
        new TestWeb(
            WebConfig.local(0),
            routes -> {
              routes.add("GET", "/first", Access.PUBLIC, _ -> pool.run(this::runUntilCanceled));
              routes.add(
                  "GET", "/second", Access.PUBLIC, _ -> pool.run(() -> second.getAndSet(true)));
            },
            _ -> Optional.empty())) {
      Socket running = sendGet(web, "/first");
      workStarted.await();
      Socket queued = sendGet(web, "/second");
      awaitQueued(1);
      queued.close();
      awaitQueued(0);
      running.close();
      ended.await();
      assertThat(second).isFalse();
      assertThat(pool.<String, RuntimeException>run(() -> "next")).isEqualTo("next");
    }
  }

  private void awaitQueued(int count) {
    while (pool.queued() != count) {
      Thread.onSpinWait();
    }
  }
}
