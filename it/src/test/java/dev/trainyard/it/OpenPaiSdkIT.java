package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs OpenPAI's published JavaScript SDK against a real server. */
class OpenPaiSdkIT extends NeedsSandbox {
  private static NpmPackage program;

  @TempDir private Path directory;

  @BeforeAll
  static void install() throws Exception {
    program = NpmPackage.install("openpai", "@microsoft/openpai-js-sdk");
  }

  @Test
  void client_allOperationsSucceed() throws Exception {
    String password = "chosen-admin-password";
    Path output = directory.resolve("output");
    try (Trainyard trainyard =
        Trainyard.start(directory.resolve("data"), Map.of("TRAINYARD_ADMIN_PASSWORD", password))) {
      Process client =
          program
              .command("node", "client.js", trainyard.url(), password)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      boolean ended = client.waitFor(5, TimeUnit.MINUTES);
      client.destroyForcibly();
      assertThat(ended).as(Files.readString(output)).isTrue();
      assertThat(client.exitValue()).as(Files.readString(output)).isZero();
      assertThat(Files.readString(output)).contains("all went well");
    }
  }
}
