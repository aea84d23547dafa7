package dev.trainyard.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DataSizeTest {
  @Test
  void ofMegabytes_usesBinaryMegabytes() {
    assertThat(DataSize.ofMegabytes(3).bytes()).isEqualTo(3 * 1_048_576L);
    assertThat(DataSize.ofMegabytes(Integer.MAX_VALUE).megabytes()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void megabytes_roundsDown() {
    assertThat(new DataSize(2 * 1_048_576L - 1).megabytes()).isEqualTo(1);
  }

  @Test
  void new_outOfBounds() {
    assertThatThrownBy(() -> new DataSize(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> DataSize.ofMegabytes(Long.MAX_VALUE))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void text_largestUnit() {
    assertThat(DataSize.text(0)).isEqualTo("0 B");
    assertThat(DataSize.text(1_023)).isEqualTo("1023 B");
    assertThat(DataSize.text(1_536)).isEqualTo("1.5 KiB");
    assertThat(DataSize.text(5L << 40)).isEqualTo("5 TiB");
  }

  @Test
  void textOfMegabytes_neverBelowMebibytes() {
    assertThat(DataSize.textOfMegabytes(0)).isEqualTo("0 MiB");
    assertThat(DataSize.textOfMegabytes(512)).isEqualTo("512 MiB");
    assertThat(DataSize.textOfMegabytes(32_768)).isEqualTo("32 GiB");
  }

  @Test
  void compareTo_bySize() {
    assertThat(DataSize.ZERO).isLessThan(new DataSize(1));
    assertThat(new DataSize(5)).isEqualByComparingTo(new DataSize(5));
  }
}
