package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.testkit.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Executes the code blocks of docs/api.md that generate a Python client from the OpenAPI document
 * and submit a job with this client. {@code it/openapi-python-client} installs the generator.
 */
class GeneratedClientIT extends NeedsSandbox {
  private static final Path GENERATOR =
      Trainyard.CHECKOUT.resolve("target/openapi-python-client").toAbsolutePath();
  private static final Pattern BLOCKS =
      Pattern.compile(
          "^### Generated clients\n.*?^```sh check\n(.*?)^```\n\n```python\n(.*?)^```$",
          Pattern.DOTALL | Pattern.MULTILINE);

  @TempDir Path directory;

  @BeforeAll
  static void needPrograms() throws Exception {
    Requirement.require("curl", Files.isExecutable(Path.of("/usr/bin/curl")), "no curl");
    Requirement.require(
        "generator",
        Files.isExecutable(GENERATOR.resolve("bin/openapi-python-client")),
        "it/openapi-python-client was not run");
  }

  @Test
  void generatedClient_submitsYamlAndReadsTheLog() throws Exception {
    Matcher blocks = BLOCKS.matcher(Files.readString(Trainyard.CHECKOUT.resolve("docs/api.md")));
    assertThat(blocks.find()).isTrue();
    Files.createSymbolicLink(directory.resolve("venv"), GENERATOR);
    Files.createSymbolicLink(
        directory.resolve("examples"), Trainyard.CHECKOUT.resolve("examples").toRealPath());
    try (Trainyard trainyard =
        Trainyard.start(
            directory.resolve("data"),
            "--engine",
            "process",
            "--capacity",
            "cpu=2,memoryMB=2048")) {
      String password = "alices-password";
      String user = "{\"name\":\"alice\",\"password\":\"%s\"}".formatted(password);
      assertThat(trainyard.request("POST", "/api/v3/users", user).statusCode()).isEqualTo(201);
      String server = "http://127.0.0.1:9286";
      // Skips the installation because the generator is already installed.
      String installation = "(?m)^(python3 -m venv|venv/bin/pip) .*\n";
      run(
          "bash",
          "-ec",
          blocks.group(1).replaceAll(installation, "").replace(server, trainyard.url()));
      String program =
          blocks
              .group(2)
              .replace(server, trainyard.url())
              .replace("\"PASSWORD\"", "\"" + password + "\"");
      assertThat(run("venv/bin/python", "-W", "error::SyntaxWarning", "-c", program))
          .contains("finished");
    }
  }

  private String run(String... command) throws Exception {
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(2, TimeUnit.MINUTES);
    process.destroyForcibly();
    String printed = Files.readString(output);
    assertThat(ended).as(printed).isTrue();
    assertThat(process.exitValue()).as(printed).isZero();
    return printed;
  }
}
