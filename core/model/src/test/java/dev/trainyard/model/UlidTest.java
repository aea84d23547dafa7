package dev.trainyard.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UlidTest {
  private final AtomicLong clockMillis = new AtomicLong(1_700_000_000_000L);
  private final Ulid ulid = new Ulid(() -> Instant.ofEpochMilli(clockMillis.get()));

  @Test
  void next_isValid() {
    assertThat(ulid.next()).hasSize(26).matches(Ulid::isValid);
  }

  @Test
  void next_beginsWithTheTime() {
    clockMillis.set(1_469_918_176_385L); // the example of the ULID specification
    assertThat(ulid.next()).startsWith("01ARYZ6S41");
    clockMillis.set(0);
    assertThat(new Ulid(() -> Instant.EPOCH).next()).startsWith("0000000000");
  }

  @Test
  void firstAt_separatesEarlierFromLater() {
    String earlierId = ulid.next();
    clockMillis.incrementAndGet();
    String firstId = Ulid.firstAt(Instant.ofEpochMilli(clockMillis.get()));
    assertThat(firstId).matches(Ulid::isValid).isGreaterThan(earlierId).isLessThan(ulid.next());
    assertThat(Ulid.timeOf(ulid.next())).isEqualTo(Instant.ofEpochMilli(clockMillis.get()));
  }

  @Test
  void next_growsWithinAMillisecond() {
    assertGrowing(List.of(0, 0, 0, 0));
  }

  @Test
  void next_clockSetBack_grows() {
    assertGrowing(List.of(5, -3_600_000, 1, 1, -1, 4_000_000, -5));
  }

  private void assertGrowing(List<Integer> clockSteps) {
    List<String> ids = new ArrayList<>();
    for (int step : clockSteps) {
      clockMillis.addAndGet(step);
      for (int i = 0; i < 1000; i++) {
        ids.add(ulid.next());
      }
    }
    assertThat(ids).isSorted().doesNotHaveDuplicates().allMatch(Ulid::isValid);
  }

  @Test
  void next_randomBitsExhausted_grows() {
    RandomGenerator allOnes = () -> -1L;
    Ulid exhausted = new Ulid(() -> Instant.ofEpochMilli(clockMillis.get()), allOnes);
    String firstId = exhausted.next();
    assertThat(firstId).endsWith("ZZZZZZZZZZZZZZZZ");
    assertThat(exhausted.next()).isGreaterThan(firstId).endsWith("0000000000000000");
    clockMillis.incrementAndGet();
    assertThat(exhausted.next()).endsWith("0000000000000001");
  }

  @Test
  void next_carriesIntoTheUpperHalf() {
    long[] values = {0, -1L};
    int[] index = {0};
    Ulid carrying =
        new Ulid(
            () -> Instant.ofEpochMilli(clockMillis.get()),
            () -> values[index[0]++ % values.length]);
    assertThat(carrying.next()).endsWith("000FZZZZZZZZZZZZ");
    assertThat(carrying.next()).endsWith("000G000000000000");
  }

  @Test
  void next_manyThreads() throws InterruptedException {
    ConcurrentSkipListSet<String> ids = new ConcurrentSkipListSet<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                for (int j = 0; j < 500; j++) {
                  ids.add(ulid.next());
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(ids).hasSize(4000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"00000000000000000000000000", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"})
  void isValid_validId(String text) {
    assertThat(Ulid.isValid(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0000000000000000000000000",
        "000000000000000000000000000",
        "80000000000000000000000000",
        "Z0000000000000000000000000",
        "0000000000000000000000000I",
        "0000000000000000000000000l",
        "0000000000000000000000000a",
        "0000000000000/000000000000",
        "0000000000000٣000000000000"
      })
  void isValid_invalidId(String text) {
    assertThat(Ulid.isValid(text)).isFalse();
  }
}
