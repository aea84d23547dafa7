package dev.trainyard.server.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BucketsTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  /** The start value must not matter: it may be negative and overflow. */
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 2 * SECOND);

  private Buckets buckets(String rate) {
    return new Buckets(Rate.parse(rate), now::get);
  }

  @Test
  void take_burst_thenOnePerInterval() {
    Buckets buckets = buckets("60/m");
    for (int i = 0; i < 60; i++) {
      assertThat(buckets.take("a")).isZero();
    }
    assertThat(buckets.take("a")).isEqualTo(SECOND);
    assertThat(buckets.take("b")).isZero();
    now.addAndGet(SECOND - 1);
    assertThat(buckets.take("a")).isEqualTo(1);
    now.addAndGet(1);
    assertThat(buckets.take("a")).isZero();
    assertThat(buckets.take("a")).isEqualTo(SECOND);
  }

  @Test
  void take_rejected_costsNothing() {
    Buckets buckets = buckets("2/s");
    buckets.take("a");
    buckets.take("a");
    for (int i = 0; i < 1000; i++) {
      assertThat(buckets.take("a")).isEqualTo(SECOND / 2);
    }
  }

  @Test
  void take_neverExceedsTheBurst() {
    Buckets buckets = buckets("3/s");
    buckets.take("a");
    now.addAndGet(Duration.ofDays(400).toNanos());
    assertThat(List.of(buckets.take("a"), buckets.take("a"), buckets.take("a"))).containsOnly(0L);
    assertThat(buckets.take("a")).isPositive();
  }

  @Test
  void take_concurrent_neverExceedsTheBurst() throws InterruptedException {
    Buckets buckets = buckets("1000/h");
    AtomicInteger got = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int i = 0; i < 500; i++) {
                      if (buckets.take("a") == 0) {
                        got.incrementAndGet();
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(got).hasValue(1000);
  }

  @Test
  void take_moreKeysThanTheMaximum() {
    Buckets buckets = new Buckets(Rate.parse("2/s"), now::get, 100);
    for (int i = 0; i < 100; i++) {
      assertThat(buckets.take("early " + i)).isZero();
    }
    // All are in use: additional keys share one bucket.
    assertThat(buckets.take("late 1")).isZero();
    assertThat(buckets.take("late 2")).isZero();
    assertThat(buckets.take("late 3")).isPositive();
    assertThat(buckets.take("early 7")).isZero();
    assertThat(buckets.keys()).isEqualTo(100);
    now.addAndGet(2 * SECOND);
    assertThat(buckets.take("late 3")).isZero();
    assertThat(buckets.keys()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "0/m", "-1/m", "5/y", "5/min", "1.5/s", "9999999999/s"})
  void parse_invalidRate(String text) {
    assertThatThrownBy(() -> Rate.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
