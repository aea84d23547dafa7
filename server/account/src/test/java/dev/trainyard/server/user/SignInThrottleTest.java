package dev.trainyard.server.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.server.fixture.MutableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class SignInThrottleTest {
  private final MutableClock clock = new MutableClock();
  private final SignInThrottle throttle = new SignInThrottle(clock);
  private String refusal = "";

  @Test
  void begin_fewFailures_noWait() {
    fail("alice", "1.1.1.1", 5);
    assertThat(waitOf("alice", "1.1.1.1")).isEqualTo(1);
  }

  @Test
  void begin_waitGrowsToOneMinute() {
    fail("alice", "1.1.1.1", 5);
    for (long expected : new long[] {1, 2, 4, 8, 16, 32, 60, 60}) {
      assertThat(waitOf("alice", "1.1.1.1")).isEqualTo(expected);
      clock.advance(Duration.ofSeconds(expected));
      throttle.begin("alice", "1.1.1.1").failed();
    }
  }

  @Test
  void begin_rejectedAttempts_notCounted() {
    fail("alice", "1.1.1.1", 5);
    for (int i = 0; i < 100; i++) {
      waitOf("alice", "1.1.1.1");
    }
    clock.advance(Duration.ofSeconds(1));
    assertThatCode(() -> throttle.begin("alice", "1.1.1.1")).doesNotThrowAnyException();
  }

  @Test
  void begin_ownerAtOtherAddress_isAdmitted() {
    for (int i = 0; i < 60; i++) {
      fail("alice", "1.1.1." + i, 1);
    }
    assertThat(waitOf("alice", "1.1.1.7")).isPositive();
    assertThatCode(() -> throttle.begin("alice", "2.2.2.2").succeeded()).doesNotThrowAnyException();
  }

  @Test
  void begin_loopbackAddressesCountAsOne() {
    for (int i = 1; i <= 5; i++) {
      fail("alice", "127.0.7." + i, 1);
    }
    for (String address :
        List.of("127.0.0.1", "127.9.9.9", "::1", "::ffff:127.1.2.3", "0:0:0:0:0:ffff:7f00:5")) {
      assertThat(waitOf("alice", address)).as(address).isEqualTo(1);
    }
  }

  @Test
  void begin_nameCount_appliesToLoopback() {
    throttle.begin("bob", "127.0.0.1").succeeded();
    for (int i = 0; i < 20; i++) {
      fail("alice", "1.1.1." + i, 1);
      fail("bob", "1.1.1." + i, 1);
    }
    assertThat(waitOf("alice", "127.3.3.3")).isPositive();
    assertThatCode(() -> throttle.begin("bob", "127.0.0.1")).doesNotThrowAnyException();
  }

  @Test
  void begin_manyNamesAtOneAddress() {
    for (int i = 0; i < 50; i++) {
      fail("user" + i, "1.1.1.1", 1);
    }
    assertThat(waitOf("another", "1.1.1.1")).isPositive();
    assertThatCode(() -> throttle.begin("another", "2.2.2.2")).doesNotThrowAnyException();
  }

  @Test
  void begin_manyNamesAtLoopback_familiarNamesUnaffected() {
    throttle.begin("alice", "127.0.0.1").succeeded();
    for (int i = 0; i < 200; i++) {
      fail("invented" + i, "127.0.0.1", 1);
    }
    assertThat(waitOf("another", "127.0.0.1")).isPositive();
    assertThatCode(() -> throttle.begin("alice", "127.0.0.1")).doesNotThrowAnyException();
  }

  @Test
  void begin_ipv6Network_isOneAddress() {
    fail("alice", "2001:db8:1:2:0:0:0:1", 5);
    assertThat(waitOf("alice", "2001:db8:1:2:a:b:c:d")).isPositive();
    assertThatCode(() -> throttle.begin("alice", "2001:db8:1:3:0:0:0:1"))
        .doesNotThrowAnyException();
  }

  @Test
  void begin_caseOfTheName_ignored() {
    fail("alice", "1.1.1.1", 5);
    assertThat(waitOf("ALICE", "1.1.1.1")).isPositive();
  }

  @Test
  void succeeded_resetsTheCount() {
    fail("alice", "1.1.1.1", 4);
    throttle.begin("alice", "1.1.1.1").succeeded();
    fail("alice", "1.1.1.1", 5);
    assertThat(waitOf("alice", "1.1.1.1")).isEqualTo(1);
  }

  @Test
  void begin_oldFailures_forgotten() {
    fail("alice", "1.1.1.1", 5);
    clock.advance(Duration.ofMinutes(31));
    assertThatCode(() -> fail("alice", "1.1.1.1", 5)).doesNotThrowAnyException();
  }

  @Test
  void begin_concurrentClass_admitted() {
    List<SignInThrottle.Attempt> all = beginConcurrently(80, i -> "student" + i, "1.1.1.1");
    assertThat(all).hasSize(80);
    all.forEach(SignInThrottle.Attempt::succeeded);
    assertThat(beginConcurrently(12, i -> "student1", "1.1.1.1")).hasSize(12);
  }

  @Test
  void begin_concurrentGuessesOfOneUser_limited() {
    List<SignInThrottle.Attempt> guesses = beginConcurrently(1000, i -> "alice", "1.1.1.1");
    assertThat(guesses).hasSize(16);
    assertThat(refusal).isEqualTo("error.too-many-at-once");
    assertThat(beginConcurrently(1, i -> "alice", "2.2.2.2")).hasSize(1);
    guesses.forEach(SignInThrottle.Attempt::failed);
    assertThat(waitOf("alice", "1.1.1.1")).isEqualTo(60);
    clock.advance(Duration.ofMinutes(1));
    assertThat(beginConcurrently(1000, i -> "alice", "1.1.1.1")).hasSize(1);
    assertThat(refusal).isEqualTo("error.too-many-failures");
  }

  @Test
  void begin_concurrentGuessesOfOneUserFromManyAddresses_limited() {
    int admitted = 0;
    for (int i = 0; i < 50; i++) {
      admitted += beginConcurrently(20, n -> "alice", "1.1.1." + i).size();
    }
    // One for each address, plus the free ones.
    assertThat(admitted).isLessThanOrEqualTo(50 + 40);
  }

  @Test
  void begin_concurrentGuessesOfManyUsers_limited() {
    throttle.begin("bob", "1.1.1.1").succeeded();
    List<SignInThrottle.Attempt> guesses = beginConcurrently(1000, i -> "user" + i, "1.1.1.1");
    assertThat(guesses).hasSize(300);
    assertThat(beginConcurrently(1, i -> "bob", "1.1.1.1")).hasSize(1);
    guesses.forEach(SignInThrottle.Attempt::failed);
    clock.advance(Duration.ofMinutes(1));
    assertThat(beginConcurrently(1000, i -> "other" + i, "1.1.1.1")).hasSize(1);
  }

  @Test
  void close_withoutResult_notCounted() {
    for (int i = 0; i < 1000; i++) {
      throttle.begin("alice", "1.1.1.1").close();
    }
    fail("alice", "1.1.1.1", 5);
    assertThat(waitOf("alice", "1.1.1.1")).isEqualTo(1);
  }

  @Test
  void close_afterResult_changesNothing() {
    List<SignInThrottle.Attempt> first = beginConcurrently(16, i -> "alice", "1.1.1.1");
    first.getFirst().close();
    first.getFirst().close();
    assertThat(beginConcurrently(5, i -> "alice", "1.1.1.1")).hasSize(1);
  }

  private void fail(String name, String address, int times) {
    for (int i = 0; i < times; i++) {
      throttle.begin(name, address).failed();
    }
  }

  /** Returns the attempts that are admitted before the first one has ended. */
  private List<SignInThrottle.Attempt> beginConcurrently(
      int tries, IntFunction<String> name, String address) {
    List<SignInThrottle.Attempt> admitted = new ArrayList<>();
    for (int i = 0; i < tries; i++) {
      try {
        admitted.add(throttle.begin(name.apply(i), address));
      } catch (AppException e) {
        refusal = e.text().code();
      }
    }
    return admitted;
  }

  private long waitOf(String name, String address) {
    long[] seconds = new long[1];
    assertThatThrownBy(() -> throttle.begin(name, address))
        .isInstanceOfSatisfying(
            AppException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
              seconds[0] = (Long) e.text().params().get("seconds");
            });
    return seconds[0];
  }
}
