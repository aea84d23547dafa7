package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DockerPingTest {
  @TempDir Path directory;

  @Test
  void failure_noSocket() {
    assertThat(DockerPing.failure(directory.resolve("none"))).isPresent();
  }

  @Test
  void failure_nothingListens() throws IOException {
    Path socket = directory.resolve("left");
    listen(socket).close();

    assertThat(DockerPing.failure(socket)).isPresent();
  }

  @Test
  void failure_noResponse() throws IOException {
    Path socket = directory.resolve("hung");
    try (ServerSocketChannel server = listen(socket)) {
      assertThat(server.isOpen()).isTrue();
      assertThat(DockerPing.failure(socket))
          .hasValueSatisfying(reason -> assertThat(reason).contains("does not respond within"));
    }
  }

  @Test
  void failure_engineResponds() throws IOException {
    Path socket = directory.resolve("engine");
    try (ServerSocketChannel server = listen(socket)) {
      Thread.ofVirtual().start(() -> respond(server));
      assertThat(DockerPing.failure(socket)).isEmpty();
    }
  }

  private static ServerSocketChannel listen(Path socket) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    return server;
  }

  private static void respond(ServerSocketChannel server) {
    try (SocketChannel client = server.accept()) {
      client.read(ByteBuffer.allocate(100));
      client.write(
          ByteBuffer.wrap("HTTP/1.0 200 OK\r\n\r\nOK".getBytes(StandardCharsets.US_ASCII)));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
