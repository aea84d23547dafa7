package dev.trainyard.server.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.Message;
import dev.trainyard.server.fixture.MutableClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClockWatchTest {
  private final MutableClock clock = new MutableClock();
  private final AtomicLong steady = new AtomicLong();
  private final ClockWatch watch = new ClockWatch(clock, steady::get);

  private void pass(Duration shown, Duration real) {
    clock.advance(shown);
    steady.addAndGet(real.toNanos());
    watch.check();
  }

  @Test
  void check_timePasses_isSettled() {
    pass(Duration.ofSeconds(10), Duration.ofSeconds(10));
    pass(Duration.ofSeconds(9), Duration.ofSeconds(10));
    pass(Duration.ofSeconds(40), Duration.ofSeconds(10));
    assertThat(watch.isReliable()).isTrue();
    assertThat(watch.warnings()).isEmpty();
  }

  @Test
  void check_setBackOneHour_reportedForOneDay() {
    pass(Duration.ofHours(-1), Duration.ofSeconds(10));
    assertThat(watch.warnings()).extracting(Message::code).containsExactly("notice.clock-back");
    assertThat(watch.warnings().getFirst().params()).containsEntry("seconds", 3_610L);
    assertThat(watch.isReliable()).isFalse();
    pass(Duration.ofHours(25), Duration.ofHours(25));
    assertThat(watch.isReliable()).isTrue();
  }

  @Test
  void check_setAheadOneYear_reported() {
    pass(Duration.ofDays(365), Duration.ofSeconds(10));
    assertThat(watch.warnings()).extracting(Message::code).containsExactly("notice.clock-ahead");
  }

  @Test
  void compareWith_newestIsInTheFuture_reported() {
    watch.compareWith(clock.instant().minus(Duration.ofDays(30)));
    assertThat(watch.isReliable()).isTrue();
    watch.compareWith(clock.instant().plus(Duration.ofHours(1)));
    assertThat(watch.warnings()).extracting(Message::code).containsExactly("notice.clock-back");
  }
}
