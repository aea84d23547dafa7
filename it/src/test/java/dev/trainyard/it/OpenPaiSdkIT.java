package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OpenPAI's own library for JavaScript, as it is published, against the real server. */
class OpenPaiSdkIT extends NeedsSandbox {
  private static final Path SOURCES = Trainyard.CHECKOUT.resolve("it/src/test/openpai");
  private static final Path INSTALLED = Trainyard.CHECKOUT.resolve("it/target/openpai-client");

  @TempDir private Path directory;

  @BeforeAll
  static void install() throws Exception {
    Requirement.require("node", runs("node", "--version") && runs("npm", "--version"), "no node");
    Files.createDirectories(INSTALLED);
    for (String name : List.of("package.json", "package-lock.json", ".npmrc", "client.js")) {
      Files.copy(
          SOURCES.resolve(name), INSTALLED.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
    boolean installed =
        Files.isDirectory(INSTALLED.resolve("node_modules/@microsoft/openpai-js-sdk"))
            || runs("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
    Requirement.require("node", installed, "the package registry does not answer");
  }

  private static boolean runs(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(Files.isDirectory(INSTALLED) ? INSTALLED.toFile() : null)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(10, TimeUnit.MINUTES) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void client_doesAllItCan() throws Exception {
    String password = "chosen-admin-password";
    Path output = directory.resolve("output");
    try (Trainyard trainyard =
        Trainyard.start(directory.resolve("data"), Map.of("TRAINYARD_ADMIN_PASSWORD", password))) {
      Process client =
          new ProcessBuilder("node", "client.js", trainyard.url(), password)
              .directory(INSTALLED.toFile())
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
