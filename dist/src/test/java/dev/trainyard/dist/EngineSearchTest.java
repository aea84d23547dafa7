package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.Messages;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineSearchTest {
  private static final Set<String> ANY = Set.of("docker", "podman");

  @TempDir Path directory;

  /** A fake engine that responds only to requests for its version and its system information. */
  private static final class FakeEngine implements AutoCloseable {
    private final ServerSocketChannel server =
        ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    private final String component;
    private final String options;

    FakeEngine(Path socket, String component, String options) throws IOException {
      this.component = component;
      this.options = options;
      server.bind(UnixDomainSocketAddress.of(socket));
      Thread.ofVirtual().start(this::serve);
    }

    private void serve() {
      while (server.isOpen()) {
        try (SocketChannel client = server.accept()) {
          ByteBuffer request = ByteBuffer.allocate(4096);
          client.read(request);
          String line = new String(request.array(), StandardCharsets.US_ASCII);
          String body =
              line.contains("/version")
                  ? "{\"ApiVersion\":\"1.41\",\"Components\":[{\"Name\":\"" + component + "\"}]}"
                  : "{\"SecurityOptions\":[" + options + "]}";
          String response =
              "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\n"
                  + "Content-Length: %d\r\n\r\n%s".formatted(body.length(), body);
          client.write(ByteBuffer.wrap(response.getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
          return; // closed
        }
      }
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }

  @Test
  void tryAll_dockerDoesNotRespond_findsPodman() throws Exception {
    Path unresponsiveSocket = directory.resolve("docker.sock");
    Path socket = directory.resolve("podman.sock");
    ServerSocketChannel.open(StandardProtocolFamily.UNIX)
        .bind(UnixDomainSocketAddress.of(unresponsiveSocket))
        .close();
    try (var _ = new FakeEngine(socket, "Podman Engine", "")) {
      Path missingSocket = directory.resolve("missing.sock");
      EngineSearch search =
          EngineSearch.tryAll(List.of(missingSocket, unresponsiveSocket, socket), ANY);
      assertThat(search.connection().orElseThrow().engine()).isEqualTo("podman");
      assertThat(search.connection().orElseThrow().socket()).isEqualTo(socket);
      assertThat(search.problem().orElseThrow().english()).contains(unresponsiveSocket.toString());
      search.connection().orElseThrow().close();
    }
  }

  @Test
  void tryAll_otherEngine_isRejected() throws Exception {
    Path socket = directory.resolve("docker.sock");
    try (var _ = new FakeEngine(socket, "Engine", "")) {
      EngineSearch search = EngineSearch.tryAll(List.of(socket), Set.of("podman"));
      assertThat(search.connection()).isEmpty();
      assertThat(search.problem().orElseThrow().english()).contains("Docker", socket.toString());
    }
  }

  @Test
  void tryAll_rootless_rejectedInBothLanguages() throws Exception {
    Path socket = directory.resolve("podman.sock");
    try (var _ = new FakeEngine(socket, "Podman Engine", "\"name=seccomp\",\"name=rootless\"")) {
      EngineSearch search = EngineSearch.tryAll(List.of(socket), ANY);
      assertThat(search.connection()).isEmpty();
      assertThat(search.problem().orElseThrow().english()).contains("Podman", "rootless");
      assertThat(Messages.CHINESE.text(search.problem().orElseThrow()))
          .contains("Podman", "rootless");
    }
  }

  @Test
  void tryAll_missingSocket() {
    Path missingSocket = directory.resolve("missing.sock");
    EngineSearch search = EngineSearch.tryAll(List.of(missingSocket), ANY);
    assertThat(search.connection()).isEmpty();
    assertThat(search.problem().orElseThrow().english())
        .contains(missingSocket + " does not exist");
  }
}
