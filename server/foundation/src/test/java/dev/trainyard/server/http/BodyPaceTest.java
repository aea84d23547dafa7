package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BodyPaceTest {
  private final BodyPace pace = new BodyPace(Duration.ofSeconds(30), 1_024);

  private boolean isTooSlow(long waitedSeconds, long silentSeconds, long seen) {
    long waited = Duration.ofSeconds(waitedSeconds).toNanos();
    return pace.remainingNanos(waited, Duration.ofSeconds(silentSeconds).toNanos(), seen) <= 0;
  }

  @Test
  void timeLeft_silence() {
    assertThat(isTooSlow(29, 29, 0)).isFalse();
    assertThat(isTooSlow(30, 30, 0)).isTrue();
    assertThat(isTooSlow(30, 30, 1 << 30)).isTrue();
  }

  @Test
  void timeLeft_averageRate() {
    assertThat(isTooSlow(100, 1, 69 << 10)).isTrue();
    assertThat(isTooSlow(100, 1, 71 << 10)).isFalse();
  }

  @Test
  void timeLeft_longUpload_hasNoTotalLimit() {
    long day = Duration.ofDays(1).toSeconds();
    assertThat(isTooSlow(30 * day, 10, 30 * day * 2_000)).isFalse();
    assertThat(isTooSlow(30 * day, 10, 30 * day * 1_000)).isTrue();
  }
}
