package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** Tests that need a Docker engine are skipped, or fail if TRAINYARD_REQUIRE names it. */
class TestImagesTest {
  private static final Class<? extends Throwable> EXPECTED_EXCEPTION =
      List.of(System.getenv().getOrDefault("TRAINYARD_REQUIRE", "").split(",", -1))
              .contains("docker")
          ? AssertionError.class
          : TestAbortedException.class;

  @TempDir Path directory;

  @Test
  void requireResponse_noSocket() {
    assertThatThrownBy(() -> TestImages.requireResponse(directory.resolve("docker.sock")))
        .isInstanceOf(EXPECTED_EXCEPTION)
        .hasMessageContaining("no Docker engine runs");
  }

  @Test
  void requireResponse_socketOfAStoppedEngine() throws Exception {
    Path socket = directory.resolve("docker.sock");
    try (var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listener.bind(UnixDomainSocketAddress.of(socket));
    }
    assertThatThrownBy(() -> TestImages.requireResponse(socket))
        .isInstanceOf(EXPECTED_EXCEPTION)
        .hasMessageContaining("a socket exists, but no Docker engine responds at " + socket);
  }

  @Test
  void requireResponse_unresponsiveEngine() throws Exception {
    Path socket = directory.resolve("docker.sock");
    try (var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listener.bind(UnixDomainSocketAddress.of(socket));
      assertThatThrownBy(() -> TestImages.requireResponse(socket))
          .isInstanceOf(EXPECTED_EXCEPTION)
          .hasMessageContaining("it does not respond");
    }
  }
}
