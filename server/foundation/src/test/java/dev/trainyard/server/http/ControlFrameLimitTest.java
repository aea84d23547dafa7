package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ControlFrameLimitTest {
  private static final String UPGRADE =
      """
      GET /talk HTTP/1.1
      Host: a
      Connection: Upgrade
      Upgrade: websocket
      Sec-WebSocket-Version: 13
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
      Authorization: Bearer user

      """
          .replace("\n", "\r\n");

  private static final byte[] EMPTY_PING = {(byte) 0x89, (byte) 0x80, 0, 0, 0, 0};

  private long nanos;
  private final ControlFrameLimit limit = new ControlFrameLimit(() -> nanos);

  private boolean allowsAll(int frames, boolean writeQueueFull) {
    boolean all = true;
    for (int i = 0; i < frames; i++) {
      all &= limit.allows(writeQueueFull);
    }
    return all;
  }

  @Test
  void allows_perSecond() {
    assertThat(allowsAll(ControlFrameLimit.MAX_FRAMES, false)).isTrue();
    assertThat(limit.allows(false)).isFalse();

    nanos += 1_000_000_000;
    assertThat(allowsAll(ControlFrameLimit.MAX_FRAMES, false)).isTrue();
  }

  @Test
  void allows_whileTheWriteQueueIsFull_inTotal() {
    for (int i = 0; i < ControlFrameLimit.MAX_FRAMES; i++) {
      nanos += 10_000_000_000L;
      assertThat(limit.allows(true)).isTrue();
    }
    nanos += 10_000_000_000L;
    assertThat(limit.allows(true)).isFalse();
    assertThat(limit.allows(false)).as("the client reads again").isTrue();
    assertThat(limit.allows(true)).isTrue();
  }

  /** Session that waits for a message, like the input of a command. */
  private static final class Waiting implements WebSocketSession {
    private final CountDownLatch ended = new CountDownLatch(1);

    @Override
    public void talk(Socket socket) throws IOException {
      socket.receive();
    }

    @Override
    public void close() {
      ended.countDown();
    }
  }

  @Test
  void socket_floodOfPings_isClosed() throws Exception {
    Waiting session = new Waiting();
    try (TestWeb web =
            TestWeb.with(routes -> routes.addSocket("/talk", Access.USER, request -> session));
        RawClient client = new RawClient(web.url())) {
      assertThat(client.send(UPGRADE).status()).contains("101");

      assertThat(isClosedByServer(client)).isTrue();
      assertThat(session.ended.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** Sends up to a million pings and reads nothing. */
  private static boolean isClosedByServer(RawClient client) throws IOException {
    String pings = new String(EMPTY_PING, StandardCharsets.ISO_8859_1).repeat(10_000);
    try {
      for (int i = 0; i < 100; i++) {
        client.send(pings);
      }
      return false;
    } catch (SocketException e) {
      return true;
    }
  }
}
