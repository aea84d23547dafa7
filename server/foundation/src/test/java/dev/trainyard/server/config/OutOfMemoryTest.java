package dev.trainyard.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.linux.MemoryExhaustion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Verifies that a server process that runs out of memory ends, wherever the error is thrown. */
class OutOfMemoryTest {
  @ParameterizedTest
  @ValueSource(strings = {"logged", "uncaught", "virtual"})
  void process_outOfMemory_ends(String how) throws Exception {
    assertEnds(how);
  }

  /** It takes as long as the collections are observed. */
  @Test
  @Tag("long")
  void process_heapAlmostFull_ends() throws Exception {
    assertEnds("collecting");
  }

  private static void assertEnds(String how) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Exhausted.class.getName(),
                how)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("it has ended").isTrue();
      assertThat(process.exitValue()).isEqualTo(MemoryExhaustion.EXIT_CODE);
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * Throws an error like Netty's for direct memory, after which the process would otherwise
   * continue.
   */
  public static final class Exhausted {
    private Exhausted() {}

    public static void main(String[] args) throws InterruptedException {
      Logging.prepare();
      Logging.configure(SettingsReader.read(Map.of(), Map.of()), System.err);
      MemoryExhaustion.enable();
      switch (args[0]) {
        case "logged" -> LoggerFactory.getLogger("io.netty.channel").warn("failed", wrapped());
        case "collecting" -> collectGarbage();
        case "uncaught" -> Thread.ofPlatform().start(Exhausted::fail);
        default -> Thread.ofVirtual().start(Exhausted::fail);
      }
      new CountDownLatch(1).await();
    }

    /** Keeps the heap so full that it can be collected, but only a little becomes free. */
    private static void collectGarbage() {
      List<byte[]> kept = new ArrayList<>();
      while (true) {
        try {
          kept.add(new byte[1_000]);
        } catch (OutOfMemoryError e) {
          kept.subList(kept.size() - 500, kept.size()).clear();
        }
      }
    }

    private static Exception wrapped() {
      return new IllegalStateException(new OutOfMemoryError("failed to allocate direct memory"));
    }

    private static void fail() {
      throw new OutOfMemoryError("failed to allocate direct memory");
    }
  }
}
