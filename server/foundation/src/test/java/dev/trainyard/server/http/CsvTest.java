package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"=1", "+1", "-1", "@x", "\t1", "\n=1", "＝1", "＋1", "－1", "＠x", "  =1", "\uFEFF=1"})
  void cell_formula_isEscaped(String hostile) {
    assertThat(Csv.cell(hostile)).isEqualTo("\"'" + hostile + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a=b", "train-1", "1-2", "任务＝1"})
  void cell_plainText_unchanged(String plain) {
    assertThat(Csv.cell(plain)).isEqualTo("\"" + plain + "\"");
  }
}
