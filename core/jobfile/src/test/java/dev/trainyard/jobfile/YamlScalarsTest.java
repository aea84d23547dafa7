package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlScalarsTest {
  private static final DocumentValue.Position POSITION = new DocumentValue.Position(1, 1);

  @ParameterizedTest
  @CsvSource({
    "0, 0, true",
    "-0, 0, true",
    "+12, 12, true",
    "1_000, 1000, true",
    "010, 8, true",
    "0x1F, 31, true",
    "-0b101, -5, true",
    "1:30, 90, true",
    "190:20:30, 685230, true",
    "123456789012345678901234567890, 123456789012345678901234567890, true",
    "1.0, 1, true",
    "2., 2, true",
    "1e3, 1000, true",
    "0.1, 0.1, false",
    "-1.50, -1.5, false",
    "1e-3, 0.001, false",
    "1e-7, 1e-7, false",
    "1.25e-10, 1.25e-10, false",
    "1e21, 1e+21, false",
    "123e20, 1.23e+22, false",
    ".5, 0.5, false",
    ".inf, Infinity, false",
    "-.INF, -Infinity, false",
    ".NaN, NaN, false"
  })
  void value_number(String scalar, String digits, boolean isInteger) {
    assertThat(YamlScalars.value(scalar, POSITION))
        .isEqualTo(new DocumentValue.Numeral(digits, isInteger, POSITION));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "yes",
        "no",
        "on",
        "off",
        "08",
        "1_",
        "0x",
        "1.2.3",
        "2020-01-01",
        "12:99",
        "1e",
        "-",
        "+",
        ".",
        "tRue",
        "nULL",
        "1a",
        "0b2",
        "e5"
      })
  void value_text(String scalar) {
    assertThat(YamlScalars.value(scalar, POSITION))
        .isEqualTo(new DocumentValue.Text(scalar, POSITION));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "~", "null", "Null", "NULL"})
  void value_nothing(String scalar) {
    assertThat(YamlScalars.value(scalar, POSITION)).isEqualTo(new DocumentValue.Null(POSITION));
  }
}
