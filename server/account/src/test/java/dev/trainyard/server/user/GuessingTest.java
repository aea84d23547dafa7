package dev.trainyard.server.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.AppException;
import dev.trainyard.server.fixture.MutableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Measures how long guessing takes for an attacker who waits exactly as long as required. */
class GuessingTest {
  private final MutableClock clock = new MutableClock();
  private final SignInThrottle throttle = new SignInThrottle(clock);

  /** Makes a failing attempt as soon as it is admitted. */
  private void guess(String name, String address) {
    attempt(name, address).failed();
  }

  private SignInThrottle.Attempt attempt(String name, String address) {
    while (true) {
      try {
        return throttle.begin(name, address);
      } catch (AppException e) {
        Object seconds = e.text().params().get("seconds");
        clock.advance(Duration.ofSeconds(((Number) seconds).longValue()));
      }
    }
  }

  private boolean isAdmitted(String name, String address) {
    try {
      throttle.begin(name, address).succeeded();
      return true;
    } catch (AppException e) {
      return false;
    }
  }

  @ParameterizedTest
  @CsvSource({"10.0.0.1", "127.0.0.1", "::1"})
  void guess_oneUserThousandTimes_takesHours(String address) {
    Instant begin = clock.instant();
    for (int i = 0; i < 1000; i++) {
      guess("alice", address);
    }
    assertThat(Duration.between(begin, clock.instant())).isGreaterThan(Duration.ofHours(12));
    assertThat(isAdmitted("bob", "10.0.0.2")).isTrue();
    assertThat(isAdmitted("alice", "10.0.0.2")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"10.0.0.1, 600", "127.0.0.1, 45", "::1, 45"})
  void guess_thousandUsersOnce_takesLong(String address, long minutes) {
    assertThat(isAdmitted("bob", address)).isTrue();
    Instant begin = clock.instant();
    for (int i = 0; i < 1000; i++) {
      guess("user" + i, address);
      // Users who signed in from there before are not affected.
      assertThat(isAdmitted("bob", address)).isTrue();
    }
    assertThat(Duration.between(begin, clock.instant())).isGreaterThan(Duration.ofMinutes(minutes));
    assertThat(isAdmitted("carol", "10.0.0.2")).isTrue();
  }

  /** Repeats the maximum number of concurrent attempts. */
  @Test
  void guess_oneUserConcurrently_gainsLittle() {
    Instant begin = clock.instant();
    int guesses = 0;
    while (guesses < 500) {
      List<SignInThrottle.Attempt> atOnce = new ArrayList<>(List.of(attempt("alice", "10.0.0.1")));
      try {
        while (atOnce.size() < 1000) {
          atOnce.add(throttle.begin("alice", "10.0.0.1"));
        }
      } catch (AppException e) {
        guesses += atOnce.size();
      }
      assertThat(atOnce).hasSizeLessThan(20);
      atOnce.forEach(SignInThrottle.Attempt::failed);
    }
    assertThat(Duration.between(begin, clock.instant())).isGreaterThan(Duration.ofHours(7));
  }

  @Test
  void sharedAddress_afterPasswordSpraying_newUsersWaitSeconds() {
    for (int i = 0; i < 1000; i++) {
      guess("user" + i, "127.0.0.1");
    }
    clock.advance(Duration.ofSeconds(5));
    assertThat(isAdmitted("carol", "127.0.0.1")).isTrue();
  }

  @Test
  void sharedAddress_typosOfOneDay_noDelay() {
    for (int i = 0; i < 24 * 60; i++) {
      throttle.begin("user" + i % 300, "127.0.0.1").failed();
      throttle.begin("user" + i % 300, "127.0.0.1").succeeded();
      clock.advance(Duration.ofMinutes(1));
    }
    assertThat(isAdmitted("carol", "127.0.0.1")).isTrue();
  }
}
