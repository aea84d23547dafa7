package dev.trainyard.server.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HealthTest {
  private static final Duration ALWAYS_FRESH = Duration.ofHours(1);

  private final Health health = new Health();

  @Test
  void report_allParts() {
    health.require("database", Optional::empty);
    health.prefer("engine", Optional::empty);
    Health.Report report = health.report();
    assertThat(report.failing()).isEmpty();
    assertThat(report.degraded()).isEmpty();
  }

  @Test
  void report_failingParts() {
    health.require("database", () -> Optional.of("connection refused"));
    health.require(
        "data directory",
        () -> {
          throw new java.io.IOException("read-only file system");
        });
    health.prefer("engine", () -> Optional.of("no socket"));
    Health.Report report = health.report();
    assertThat(report.failing())
        .containsEntry("database", "connection refused")
        .containsEntry("data directory", "read-only file system");
    assertThat(report.degraded()).containsEntry("engine", "no socket");
  }

  @Test
  void report_hangingParts_reportedInTime() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger checks = new AtomicInteger();
    Health.Check hanging =
        () -> {
          checks.incrementAndGet();
          end.await();
          return Optional.empty();
        };
    health.require("database", hanging);
    health.prefer("engine", hanging);
    try {
      long startNanos = System.nanoTime();
      assertThat(health.report().failing()).containsEntry("database", "no response");
      assertThat(health.report().degraded()).containsEntry("engine", "no response");
      assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
          .isLessThan(Duration.ofSeconds(10));
      assertThat(checks).as("one check of each part is under way").hasValue(2);
    } finally {
      end.countDown();
    }
  }

  @Test
  void report_threadCannotBeStarted_isCheckedAgainLater() {
    AtomicInteger started = new AtomicInteger();
    Health recovering =
        new Health(
            Duration.ofSeconds(10),
            Duration.ZERO,
            work -> {
              if (started.getAndIncrement() == 0) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              return new Thread(work);
            });
    recovering.require("database", Optional::empty);
    assertThat(recovering.report().failing().get("database")).contains("native thread");
    assertThat(recovering.report().failing()).isEmpty();
  }

  @Test
  void report_isCachedBriefly() {
    Health patient = new Health(Duration.ofSeconds(10), ALWAYS_FRESH, Thread::new);
    AtomicInteger checks = new AtomicInteger();
    patient.require(
        "database",
        () -> {
          checks.incrementAndGet();
          return Optional.empty();
        });
    for (int i = 0; i < 5; i++) {
      patient.report();
    }
    assertThat(checks).hasValue(1);
  }
}
