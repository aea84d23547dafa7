package dev.trainyard.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.server.fixture.MutableClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AuditDeduplicatorTest {
  private final MutableClock clock = new MutableClock();
  private final AuditDeduplicator window = new AuditDeduplicator(clock);

  @Test
  void admit_sameAction_oncePerHour() {
    assertThat(window.admit("u1", "job.read-log", "job:a~b")).isTrue();
    clock.advance(Duration.ofMinutes(59));
    assertThat(window.admit("u1", "job.read-log", "job:a~b")).isFalse();
    assertThat(window.admit("u2", "job.read-log", "job:a~b")).isTrue();
    assertThat(window.admit("u1", "job.exec", "job:a~b")).isTrue();
    assertThat(window.admit("u1", "job.read-log", "job:a~c")).isTrue();
    clock.advance(Duration.ofMinutes(1));
    assertThat(window.admit("u1", "job.read-log", "job:a~b")).isTrue();
  }

  @Test
  void forget_failedRecord_admittedAgain() {
    window.admit("u1", "job.read-log", "job:a~b");
    window.forget("u1", "job.read-log", "job:a~b");
    assertThat(window.admit("u1", "job.read-log", "job:a~b")).isTrue();
  }

  @Test
  void admit_tooManyActions_evictsTheOldest() {
    window.admit("u1", "job.read-log", "first");
    for (int i = 0; i < 10_000; i++) {
      window.admit("u1", "job.read-log", "job:" + i);
    }
    assertThat(window.admit("u1", "job.read-log", "first")).isTrue();
    assertThat(window.admit("u1", "job.read-log", "job:9999")).isFalse();
  }
}
