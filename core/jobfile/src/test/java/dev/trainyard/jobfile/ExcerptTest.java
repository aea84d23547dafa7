package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExcerptTest {
  @Test
  void of_lineBreaksAndControls_stayOnOneLine() {
    assertThat(Excerpt.of("one\ntwo\tthree")).isEqualTo("one two three");
    assertThat(Excerpt.of("a\u0007b")).isEqualTo("a\uFFFDb");
  }
}
