package dev.trainyard.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LogFollowersTest {
  @Test
  void interval_growsWithTheFollowersOfTheUser() {
    assertThat(LogFollowers.interval(1, 1)).isEqualTo(Duration.ofMillis(5));
    assertThat(LogFollowers.interval(100, 100)).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void interval_followersOfOthers_delayLittle() {
    assertThat(LogFollowers.interval(1, 257)).isLessThan(Duration.ofMillis(150));
    assertThat(LogFollowers.interval(1, 10_000)).isEqualTo(Duration.ofSeconds(5));
    assertThat(LogFollowers.interval(256, 100_000)).isEqualTo(Duration.ofSeconds(5));
  }
}
