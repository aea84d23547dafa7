package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryExhaustionTest {
  @Test
  void isExhausted_heapAndDirectMemory() {
    assertThat(MemoryExhaustion.isExhausted(new OutOfMemoryError("Java heap space"))).isTrue();
    var wrapped = new IllegalStateException(new RuntimeException(new OutOfMemoryError("direct")));
    assertThat(MemoryExhaustion.isExhausted(wrapped)).isTrue();
  }

  @Test
  void isExhausted_otherFailures() {
    assertThat(MemoryExhaustion.isExhausted(null)).isFalse();
    assertThat(MemoryExhaustion.isExhausted(new StackOverflowError())).isFalse();
    var threads = new OutOfMemoryError("unable to create native thread: possibly out of memory");
    assertThat(MemoryExhaustion.isExhausted(threads)).isFalse();
  }
}
