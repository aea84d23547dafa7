package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DockerConnectionTest {
  @TempDir Path directory;

  @Test
  void open_speaksTheEnginesVersion() {
    TestImages.requireAnswer(TestImages.SOCKET);
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
        .hasMessageContaining("no Docker engine answers at " + missing);
  }

  @Test
  void open_somethingElseListens() throws Exception {
    Path other = directory.resolve("other.sock");
    try (var socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(other));
      assertThatThrownBy(() -> DockerConnection.open(other)).isInstanceOf(EngineException.class);
    }
  }
}
