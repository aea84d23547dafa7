package dev.trainyard.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessStartTest {
  @Test
  void of_nameWithParenthesesAndSpaces_isSkipped() {
    String stat =
        "12 (a) b (c) S 1 12 12 0 -1 4194560 100 0 0 0 1 2 0 0 20 0 30 0 1234567 1000000 200\n";
    assertThat(ProcessStart.of(stat, "boot-id\n")).contains("1234567 boot-id");
    assertThat(ProcessStart.of("12 (a) S 1\n", "boot-id\n")).isEmpty();
    assertThat(ProcessStart.of("", "boot-id\n")).isEmpty();
  }
}
