package dev.trainyard.server.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestLimitsTest {
  private final AtomicLong now = new AtomicLong();
  private final RequestLimits limits =
      new RequestLimits(
          new RateLimitConfig(
              rate("10/s"),
              rate("5/s"),
              rate("2/h"),
              rate("3/m"),
              rate("2/h"),
              Optional.of(8),
              Optional.of(4)),
          now::get);

  private static Optional<Rate> rate(String text) {
    return Optional.of(Rate.parse(text));
  }

  private static void assertRejected(ThrowingCallable request, String message, long seconds) {
    assertThatThrownBy(request)
        .isInstanceOfSatisfying(
            AppException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
              assertThat(e.text().code()).isEqualTo(message);
              assertThat(e.text().params()).containsEntry("seconds", seconds);
            });
  }

  /** A stolen application token must not prevent its owner from revoking it. */
  @Test
  void user_countedSeparatelyFromApplications() {
    for (int i = 0; i < 1_000; i++) {
      try {
        limits.admitUser("alice", true, RequestKind.OTHER).close();
      } catch (AppException e) {
        break;
      }
    }
    assertThatThrownBy(() -> limits.admitUser("alice", true, RequestKind.OTHER))
        .isInstanceOf(AppException.class);
    limits.admitUser("alice", false, RequestKind.OTHER).close();
  }

  @Test
  void user_countedByUserNotByAddress() {
    for (int i = 0; i < 10; i++) {
      limits.admitUser("alice", false, RequestKind.OTHER).close();
    }
    assertRejected(
        () -> limits.admitUser("alice", false, RequestKind.OTHER), "error.too-many-requests", 1);
    limits.admitUser("bob", false, RequestKind.OTHER).close();
    assertThat(limits.rejections()).containsEntry("user", 1L).containsEntry("address", 0L);
    now.addAndGet(Duration.ofMillis(100).toNanos());
    limits.admitUser("alice", false, RequestKind.OTHER).close();
  }

  @Test
  void user_expensiveRequests_haveTheirOwnLimit() {
    limits.admitUser("alice", false, RequestKind.SUBMISSION).close();
    limits.admitUser("alice", false, RequestKind.SUBMISSION).close();
    assertRejected(
        () -> limits.admitUser("alice", false, RequestKind.SUBMISSION),
        "error.too-many-submissions",
        1800);
    for (int i = 0; i < 3; i++) {
      limits.admitUser("alice", false, RequestKind.LIST).close();
    }
    assertRejected(
        () -> limits.admitUser("alice", false, RequestKind.LIST), "error.too-many-lists", 20);
    limits.admitUser("alice", false, RequestKind.OTHER).close();
    assertThat(limits.rejections()).containsEntry("submit", 1L).containsEntry("list", 1L);
  }

  @Test
  void user_streams_holdTheirSlot() {
    var first = limits.admitUser("alice", false, RequestKind.OTHER);
    for (int i = 1; i < 8; i++) {
      var stream = limits.admitUser("alice", false, RequestKind.OTHER);
      assertThat(stream).isNotNull();
    }
    assertRejected(
        () -> limits.admitUser("alice", false, RequestKind.OTHER), "error.too-many-open", 5);
    first.close();
    limits.admitUser("alice", false, RequestKind.OTHER).close();
  }

  @Test
  void guest_countedByNetwork() {
    for (int i = 0; i < 5; i++) {
      limits.admitGuest("2001:db8:0:1::" + i, RequestKind.OTHER).close();
    }
    assertRejected(
        () -> limits.admitGuest("2001:db8:0:1:ffff::", RequestKind.OTHER),
        "error.too-many-requests-here",
        1);
    limits.admitGuest("2001:db8:0:2::1", RequestKind.OTHER).close();
    limits.admitGuest("192.0.2.1", RequestKind.OTHER).close();
    limits.admitUser("alice", false, RequestKind.OTHER).close();
  }

  @Test
  void guest_loopbackAndHealthChecks_notLimited() {
    for (int i = 0; i < 100; i++) {
      limits.admitGuest("127.0.0.1", RequestKind.OTHER);
      limits.admitGuest("0:0:0:0:0:0:0:1", RequestKind.OTHER);
      limits.admitGuest("192.0.2.1", RequestKind.HEALTH);
    }
    assertThat(limits.rejections().values()).containsOnly(0L);
  }

  @Test
  void signIn_limited() {
    limits.admitSignIn("alice");
    limits.admitSignIn("alice");
    assertRejected(() -> limits.admitSignIn("alice"), "error.too-many-sign-ins", 1800);
    limits.admitSignIn("bob");
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.7, 192.0.2.7",
    "::ffff:192.0.2.7, 192.0.2.7",
    "2001:db8::7, 20010db800000000/64",
    "2001:0DB8:0:0:1:2:3:4, 20010db800000000/64",
    "2001:db8:0:1::7, 20010db800000001/64",
    "::7, 0000000000000000/64",
    "nonsense:7, nonsense:7"
  })
  void network_ofAddress(String address, String network) {
    assertThat(Network.of(address)).isEqualTo(network);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /healthz, HEALTH",
    "GET, /livez, HEALTH",
    "POST, /api/v3/jobs, SUBMISSION",
    "POST, /rest-server/api/v2/jobs, SUBMISSION",
    "POST, /api/v1/user/:user/jobs, SUBMISSION",
    "PUT, /rest-server/api/v1/user/:user/jobs/:name, SUBMISSION",
    "GET, /api/v3/jobs, LIST",
    "GET, /api/v1/user/:user/jobs, LIST",
    "GET, /api/v3/jobs/:job, OTHER",
    "POST, /api/v3/jobs/:job/stop, OTHER",
    "*, (none), OTHER"
  })
  void kind_ofRoute(String method, String route, RequestKind kind) {
    assertThat(RequestKind.of(method, route)).isEqualTo(kind);
  }
}
