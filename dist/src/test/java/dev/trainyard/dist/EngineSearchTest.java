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
        try (SocketChannel caller = server.accept()) {
          ByteBuffer request = ByteBuffer.allocate(4096);
          caller.read(request);
          String line = new String(request.array(), StandardCharsets.US_ASCII);
          String body =
              line.contains("/version")
                  ? "{\"ApiVersion\":\"1.41\",\"Components\":[{\"Name\":\"" + component + "\"}]}"
                  : "{\"SecurityOptions\":[" + options + "]}";
          String answer =
              "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\n"
                  + "Content-Length: %d\r\n\r\n%s".formatted(body.length(), body);
          caller.write(ByteBuffer.wrap(answer.getBytes(StandardCharsets.US_ASCII)));
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
  void among_dockerDoesNotRespond_findsPodman() throws Exception {
    Path silent = directory.resolve("docker.sock");
    Path socket = directory.resolve("podman.sock");
    ServerSocketChannel.open(StandardProtocolFamily.UNIX)
        .bind(UnixDomainSocketAddress.of(silent))
        .close();
    try (var _ = new FakeEngine(socket, "Podman Engine", "")) {
      Path missing = directory.resolve("missing.sock");
      EngineSearch search = EngineSearch.among(List.of(missing, silent, socket), ANY);
      assertThat(search.found().orElseThrow().engine()).isEqualTo("podman");
      assertThat(search.found().orElseThrow().socket()).isEqualTo(socket);
      assertThat(search.why().orElseThrow().english()).contains(silent.toString());
      search.found().orElseThrow().close();
    }
  }

  @Test
  void among_otherEngine_isRejected() throws Exception {
    Path socket = directory.resolve("docker.sock");
    try (var _ = new FakeEngine(socket, "Engine", "")) {
      EngineSearch search = EngineSearch.among(List.of(socket), Set.of("podman"));
      assertThat(search.found()).isEmpty();
      assertThat(search.why().orElseThrow().english()).contains("Docker", socket.toString());
    }
  }

  @Test
  void among_rootless_rejectedInBothLanguages() throws Exception {
    Path socket = directory.resolve("podman.sock");
    try (var _ = new FakeEngine(socket, "Podman Engine", "\"name=seccomp\",\"name=rootless\"")) {
      EngineSearch search = EngineSearch.among(List.of(socket), ANY);
      assertThat(search.found()).isEmpty();
      assertThat(search.why().orElseThrow().english()).contains("Podman", "rootless");
      assertThat(Messages.CHINESE.text(search.why().orElseThrow())).contains("Podman", "rootless");
    }
  }

  @Test
  void among_missingSocket() {
    Path missing = directory.resolve("missing.sock");
    EngineSearch search = EngineSearch.among(List.of(missing), ANY);
    assertThat(search.found()).isEmpty();
    assertThat(search.why().orElseThrow().english()).contains(missing + " does not exist");
  }
}
