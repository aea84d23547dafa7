package dev.trainyard.server.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CarrierWatchTest {
  private static final int LOADING = 100;

  @Test
  void start_allCarriersWaitForAVirtualThread_addsCarriers() throws Exception {
    // In a separate JVM, because the test occupies all of its carriers.
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djdk.virtualThreadScheduler.parallelism=2",
                "-cp",
                System.getProperty("java.class.path"),
                WaitingClassLoads.class.getName())
            .inheritIO()
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS))
          .as("the virtual threads made progress")
          .isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  /** Many virtual threads wait for the initialization of a class, which waits for another one. */
  static final class WaitingClassLoads {
    private WaitingClassLoads() {}

    public static void main(String[] args) throws InterruptedException {
      CarrierWatch watch = CarrierWatch.start();
      CountDownLatch loaded = new CountDownLatch(LOADING);
      for (int i = 0; i < LOADING; i++) {
        Thread.ofVirtual()
            .start(
                () -> {
                  Slow.touch();
                  loaded.countDown();
                });
      }
      Gate.STARTED.await();
      Thread.ofVirtual().start(Gate.OPEN::countDown);
      loaded.await();
      watch.close();
    }
  }

  static final class Gate {
    static final CountDownLatch STARTED = new CountDownLatch(1);
    static final CountDownLatch OPEN = new CountDownLatch(1);

    private Gate() {}
  }

  static final class Slow {
    static {
      Gate.STARTED.countDown();
      try {
        Gate.OPEN.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private Slow() {}

    static void touch() {}
  }
}
