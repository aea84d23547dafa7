package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UserNamespacesTest {
  private static final String LOWER_LIMIT_SCRIPT =
      "ulimit -u 1000000 2>/dev/null || ulimit -p 1000000 2>/dev/null; exec \"$@\"";

  @Test
  void limit_lowerHardLimit_isKept() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", LOWER_LIMIT_SCRIPT, "sh"));
    if (Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
      // Root could raise its hard limit.
      command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
    }
    command.addAll(
        List.of("sh", "-c", UserNamespaces.LIMIT_SCRIPT, "sh", "2000000", "echo", "runs"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).isEqualTo("runs\n");
  }
}
