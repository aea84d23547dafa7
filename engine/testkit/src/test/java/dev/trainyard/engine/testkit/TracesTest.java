package dev.trainyard.engine.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verifies that the search detects every form, so that finding nothing is meaningful. */
class TracesTest {
  private static final String VALUE = "a+b/c-0123456789 ?";
  private final Traces traces = Traces.of(VALUE);
  @TempDir private Path directory;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void isIn_everyForm() {
    assertThat(traces.isIn(bytes("x" + VALUE + "y"))).isTrue();
    assertThat(traces.isIn(bytes(URLEncoder.encode(VALUE, StandardCharsets.UTF_8)))).isTrue();
    assertThat(traces.isIn(bytes(HexFormat.of().formatHex(bytes(VALUE))))).isTrue();
    for (String padding : List.of("", "x", "xy", "xyz", "xyzx")) {
      byte[] text = bytes(padding + VALUE + padding);
      assertThat(traces.isIn(Base64.getEncoder().encode(text))).as(padding).isTrue();
    }
    assertThat(traces.isIn(bytes(VALUE.substring(1)))).isFalse();
  }

  @Test
  void assertNoneIn_filesAndNames() throws IOException {
    Path subdirectory = Files.createDirectories(directory.resolve("a/b"));
    Path file = Files.writeString(subdirectory.resolve("c"), "token: " + VALUE);
    assertThatThrownBy(() -> traces.assertNoneIn(directory))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(file.toString());
    Files.delete(file);
    traces.assertNoneIn(directory);
  }

  @Test
  void assertNoneInProcesses_argumentsAndVariables() throws Exception {
    ProcessBuilder argument = new ProcessBuilder("sh", "-c", "read x", VALUE);
    ProcessBuilder variable = new ProcessBuilder("sh", "-c", "read x");
    variable.environment().putAll(Map.of("X", VALUE));
    for (ProcessBuilder builder : List.of(argument, variable)) {
      Process process = builder.start();
      try {
        assertThatThrownBy(traces::assertNoneInProcesses)
            .isInstanceOf(AssertionError.class)
            .hasMessageContaining("/proc/" + process.pid());
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
    traces.assertNoneInProcesses();
  }
}
