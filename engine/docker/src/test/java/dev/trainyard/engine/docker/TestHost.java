package dev.trainyard.engine.docker;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The host on which the tests run; needs no Docker engine. */
final class TestHost {
  /** User ID of the account that runs the tests. */
  static final int USER = currentUser();

  private TestHost() {}

  private static int currentUser() {
    try {
      return ServerAccount.current().user();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a command and returns its output, including standard error. */
  static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (InputStream out = process.getInputStream()) {
      String output = new String(out.readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor();
      return output;
    }
  }
}
