package dev.trainyard.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DisplayWidthTest {
  @Test
  void of_mixedText_countsColumns() {
    assertThat(DisplayWidth.of("abc")).isEqualTo(3);
    assertThat(DisplayWidth.of("排队中")).isEqualTo(6);
    assertThat(DisplayWidth.of("e\u0301")).isEqualTo(1);
    assertThat(DisplayWidth.of("，")).isEqualTo(2);
  }

  @Test
  void truncate_wideCharacters_neverTooWide() {
    for (int columns = 0; columns < 12; columns++) {
      assertThat(DisplayWidth.of(DisplayWidth.truncate("中a文b字c", columns)))
          .isLessThanOrEqualTo(columns);
    }
    assertThat(DisplayWidth.truncate("abc", 3)).isEqualTo("abc");
  }
}
