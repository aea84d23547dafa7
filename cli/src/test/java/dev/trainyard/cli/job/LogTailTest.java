package dev.trainyard.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LogTailTest {
  private static int start(int lines, String text) {
    return LogTail.startOfLast(lines, text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void startOfLast_countsLinesFromTheEnd() {
    assertThat(start(1, "a\nb\nc\n")).isEqualTo(4);
    assertThat(start(1, "a\nb\nc")).isEqualTo(4);
    assertThat(start(2, "a\nb\nc\n")).isEqualTo(2);
    assertThat(start(3, "a\nb\nc\n")).as("the first line may begin earlier").isEqualTo(-1);
    assertThat(start(0, "a\nb\n")).isEqualTo(4);
    assertThat(start(1, "")).isEqualTo(-1);
  }
}
