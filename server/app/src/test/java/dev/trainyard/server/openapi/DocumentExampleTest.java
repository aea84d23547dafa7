package dev.trainyard.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the example of the native API that docs/api.md contains, without changes. */
class DocumentExampleTest {
  private static final String MARK = "<!-- example: native -->\n```sh\n";

  @TempDir private Path directory;

  private static String example() throws IOException {
    String document = Files.readString(Path.of("../../docs/api.md"));
    int start = document.indexOf(MARK) + MARK.length();
    return document.substring(start, document.indexOf("```", start));
  }

  @Test
  void documentation_example() throws Exception {
    Requirement.require("curl", Files.isExecutable(Path.of("/usr/bin/curl")), "no curl");
    Path output = directory.resolve("output");
    try (FullServerFixture fixture = new FullServerFixture(directory.resolve("data"))) {
      String alice = "{\"name\": \"alice\", \"password\": \"alices-password\"}";
      assertThat(fixture.send("POST", "/api/v3/users", alice).statusCode()).isEqualTo(201);
      ProcessBuilder builder =
          new ProcessBuilder("bash", "-euo", "pipefail", "-c", example())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile());
      builder.environment().put("SERVER", fixture.server.url().toString());
      builder.environment().put("PASSWORD", "alices-password");
      Process shell = builder.start();
      assertThat(shell.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(shell.exitValue()).as(Files.readString(output)).isZero();
      assertThat(Files.readString(output))
          .contains(
              "\"neverFits\":false",
              "\"taskStates\":",
              "\"tags\":[\"first\"]",
              "\"stopCause\":\"USER\"",
              "\"scope\":\"read\"");
    }
  }
}
