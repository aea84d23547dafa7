package dev.trainyard.server.signup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.fixture.MutableClock;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class SignUpThrottleTest {
  private static final String HERE = "10.0.0.1";
  private static final String SHARED = "127.0.0.1";

  private final MutableClock clock = new MutableClock();
  private final SignUpThrottle throttle = new SignUpThrottle(clock);

  private static boolean failWithTakenName() {
    throw new AppException(ErrorCode.NAME_TAKEN, Message.of("error.user-taken", "user", "bob"));
  }

  private void countInvalidCodes(int times, String address) {
    for (int i = 0; i < times; i++) {
      throttle.countInvalidCode(address);
    }
  }

  private static String rejectionCode(ThrowingCallable call) {
    String[] code = new String[1];
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(AppException.class, e -> code[0] = e.text().code());
    return code[0];
  }

  @Test
  void badCode_affectsOnlySignUpsWithoutValidCode() {
    countInvalidCodes(20, HERE);
    assertThat(rejectionCode(() -> throttle.countInvalidCode(HERE)))
        .isEqualTo("error.too-many-failures");
    assertThat(rejectionCode(() -> throttle.withoutCode(HERE, () -> true)))
        .isEqualTo("error.too-many-failures");
    assertThat(throttle.withValidCode("good", () -> true)).isTrue();
    assertThat(throttle.withoutCode("10.0.0.2", () -> true)).isTrue();
  }

  @Test
  void badCode_loopback_waitsStayShort() {
    countInvalidCodes(200, SHARED);
    for (int i = 0; i < 10; i++) {
      clock.advance(Duration.ofSeconds(5));
      throttle.countInvalidCode(SHARED);
    }
    assertThat(rejectionCode(() -> throttle.withoutCode(SHARED, () -> true)))
        .isEqualTo("error.too-many-failures");
    clock.advance(Duration.ofSeconds(5));
    assertThat(throttle.withoutCode(SHARED, () -> true)).isTrue();
  }

  @Test
  void withoutCode_takenNames_countAsFailures() {
    for (int i = 0; i < 20; i++) {
      assertThat(
              rejectionCode(
                  () -> throttle.withoutCode(HERE, SignUpThrottleTest::failWithTakenName)))
          .isEqualTo("error.user-taken");
    }
    assertThat(
            rejectionCode(() -> throttle.withoutCode(HERE, SignUpThrottleTest::failWithTakenName)))
        .isEqualTo("error.too-many-failures");
  }

  @Test
  void withoutCode_hundredsOfUsers_throttled() {
    for (int i = 0; i < 100; i++) {
      assertThat(throttle.withoutCode(HERE, () -> false)).isFalse();
    }
    assertThat(rejectionCode(() -> throttle.withoutCode(HERE, () -> false)))
        .isEqualTo("error.too-many-failures");
  }

  @Test
  void withoutCode_concurrentClass_admittedUpToLimit() {
    int[] admitted = new int[1];
    assertThat(rejectionCode(() -> signUpRecursively(admitted)))
        .isEqualTo("error.too-many-at-once");
    assertThat(admitted[0]).isEqualTo(200);
  }

  /** Begins a sign-up while all previous ones are in progress. */
  private boolean signUpRecursively(int[] admitted) {
    return throttle.withoutCode(
        HERE,
        () -> {
          admitted[0]++;
          return signUpRecursively(admitted);
        });
  }

  @Test
  void withValidCode_takenNames_throttlesOnlyThatCode() {
    for (int i = 0; i < 100; i++) {
      assertThat(
              rejectionCode(
                  () -> throttle.withValidCode("one", SignUpThrottleTest::failWithTakenName)))
          .isEqualTo("error.user-taken");
    }
    assertThat(
            rejectionCode(
                () -> throttle.withValidCode("one", SignUpThrottleTest::failWithTakenName)))
        .isEqualTo("error.too-many-failures");
    assertThat(throttle.withValidCode("another", () -> true)).isTrue();
  }
}
