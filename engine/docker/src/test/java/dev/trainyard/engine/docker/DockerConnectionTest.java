package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DockerConnectionTest {
  @TempDir Path directory;

  @Test
  void open_usesApiVersionOfEngine() {
    TestImages.requireResponse(TestImages.SOCKET);
    try (DockerConnection docker = DockerConnection.open(TestImages.SOCKET)) {
      assertThat(docker.version().getApiVersion()).matches("1\\.[0-9]+");
      assertThat(docker.client().infoCmd().exec().getOsType()).isEqualTo("linux");
    }
  }

  @Test
  void open_noSocket() {
    Path missing = directory.resolve("missing.sock");
    assertThatThrownBy(() -> DockerConnection.open(missing))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("no Docker engine responds at " + missing);
  }

  @Test
  void open_otherServerListens() throws Exception {
    Path other = directory.resolve("other.sock");
    try (var socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(other));
      assertThatThrownBy(() -> DockerConnection.open(other)).isInstanceOf(EngineException.class);
    }
  }

  @Test
  void open_engineRespondsOnlyToPingsAtFirst_waits() throws Exception {
    Path slow = directory.resolve("slow.sock");
    CountDownLatch pinged = new CountDownLatch(1);
    try (var socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(slow));
      Thread.ofPlatform().daemon().start(() -> serve(socket, pinged));
      try (DockerConnection docker = DockerConnection.open(slow, Duration.ofMillis(1))) {
        assertThat(docker.version().getApiVersion()).isEqualTo("1.41");
      }
    }
  }

  private static void serve(ServerSocketChannel socket, CountDownLatch pinged) {
    try {
      while (true) {
        SocketChannel client = socket.accept();
        Thread.ofPlatform().daemon().start(() -> respond(client, pinged));
      }
    } catch (IOException e) {
      // The test has ended.
    }
  }

  private static void respond(SocketChannel client, CountDownLatch pinged) {
    try (client) {
      ByteBuffer buffer = ByteBuffer.allocate(8192);
      client.read(buffer);
      String request = new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII);
      String body = "OK";
      if (request.contains("/_ping")) {
        pinged.countDown();
      } else {
        pinged.await();
        body = "{\"ApiVersion\":\"1.41\",\"Arch\":\"amd64\"}";
      }
      String response =
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
              + "Content-Length: %d\r\n\r\n%s".formatted(body.length(), body);
      client.write(ByteBuffer.wrap(response.getBytes(StandardCharsets.US_ASCII)));
    } catch (IOException e) {
      // The test has ended.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
