package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The host on which the tests run; needs no Docker engine. */
final class TestHost {
  /** User ID of the account that runs the tests. */
  static final int USER = currentUser();

  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final long PAUSE_NANOS = 5_000_000;

  private TestHost() {}

  private static int currentUser() {
    try {
      return ServerAccount.current().user();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Polls because a real process does not notify the test of its output. */
  static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
      LockSupport.parkNanos(PAUSE_NANOS);
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
