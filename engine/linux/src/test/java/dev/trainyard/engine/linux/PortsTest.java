package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PortsTest {
  @Test
  void isFree_portInUse_isFalse() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
      assertThat(Ports.isFree(port)).isFalse();
    }
    assertThat(Ports.isFree(port)).isTrue();
  }

  @Test
  void isFree_noFileDescriptorsLeft_isTrue() throws Exception {
    Process process =
        new ProcessBuilder(
                "sh",
                "-c",
                "ulimit -n 200 && exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                DescriptorExhaustion.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(output).isEqualTo("free");
  }

  /** Uses up all file descriptors of its process, then probes a port. */
  public static final class DescriptorExhaustion {
    private DescriptorExhaustion() {}

    public static void main(String[] args) throws IOException {
      int port;
      try (ServerSocket socket = new ServerSocket(0)) {
        port = socket.getLocalPort();
      }
      // Loads the classes while files can still be opened.
      Ports.isFree(port);
      List<InputStream> openStreams = new ArrayList<>();
      try {
        while (true) {
          openStreams.add(Files.newInputStream(Path.of("/dev/null")));
        }
      } catch (IOException e) {
        String state = Ports.isFree(port) ? "free" : "in use";
        for (InputStream in : openStreams) {
          in.close();
        }
        System.out.println(state);
      }
    }
  }
}
