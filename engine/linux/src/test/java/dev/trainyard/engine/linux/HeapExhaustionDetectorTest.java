package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HeapExhaustionDetectorTest {
  private final HeapExhaustionDetector detector = new HeapExhaustionDetector();
  private long nanos = -5;
  private long collections = 100;
  private long millis = 1_000;

  /** Returns whether one of the next seconds is the end. */
  private boolean seconds(
      int seconds, double collectionsPerSecond, int millisPerSecond, int percentUsed) {
    double made = 0;
    for (int i = 0; i < seconds; i++) {
      nanos += Duration.ofSeconds(1).toNanos();
      made += collectionsPerSecond;
      millis += millisPerSecond;
      var sample =
          new HeapExhaustionDetector.Sample(
              nanos, collections + (long) made, millis, percentUsed, 100);
      if (detector.isExhausted(sample)) {
        return true;
      }
    }
    collections += (long) made;
    return false;
  }

  @Test
  void collectionsThatFreeNothing_forTwentySeconds_isExhausted() {
    assertThat(seconds(20, 3, 900, 97)).isFalse();
    assertThat(seconds(1, 3, 900, 97)).isTrue();
  }

  @Test
  void slowCollections_areCountedToo() {
    assertThat(seconds(25, 0.3, 900, 99)).isTrue();
  }

  @Test
  void fullHeap_isHealthyUntilCollectionsTakeMostTime() {
    assertThat(seconds(3_600, 0.01, 5, 97)).isFalse();
    assertThat(seconds(8, 3, 900, 97)).isFalse();
    assertThat(seconds(13, 3, 900, 97)).isTrue();
  }

  @Test
  void manyCollectionsWithFreeHeap_isHealthy() {
    assertThat(seconds(3_600, 10, 990, 90)).isFalse();
  }

  @Test
  void collectionThatFreesMemory_restartsMeasurement() {
    for (int i = 0; i < 20; i++) {
      assertThat(seconds(15, 3, 900, 97)).isFalse();
      assertThat(seconds(1, 1, 900, 60)).isFalse();
    }
  }

  @Test
  void unknownMaximum_isHealthy() {
    for (int i = 0; i < 100; i++) {
      var sample = new HeapExhaustionDetector.Sample(i * 1_000_000_000L, i * 9L, i * 999L, 97, -1);
      assertThat(detector.isExhausted(sample)).isFalse();
    }
  }
}
