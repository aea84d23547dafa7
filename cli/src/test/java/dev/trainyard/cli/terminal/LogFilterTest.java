package dev.trainyard.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogFilterTest {
  private static String filtered(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new String(new LogFilter().filter(bytes, bytes.length), StandardCharsets.UTF_8);
  }

  /** Filters the bytes one at a time, because a sequence may be split anywhere. */
  private static String filteredByteByByte(String text) {
    LogFilter filter = new LogFilter();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte value : text.getBytes(StandardCharsets.UTF_8)) {
      out.writeBytes(filter.filter(new byte[] {value}, 1));
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain\n",
        "\rprogress 10%\rprogress 20%",
        "a\tb",
        "中文日志\n",
        "é ñ £",
        "\u001B[31mred\u001B[0m",
        "\u001B[38;5;200mx\u001B[m",
        "\u001B[38:2:1:2:3mx"
      })
  void filter_harmlessText_isUnchanged(String text) {
    assertThat(filtered(text)).isEqualTo(text);
    assertThat(filteredByteByByte(text)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u001B]0;title\u0007",
        "\u001B]52;c;ZXZpbA==\u001B\\",
        "\u001B[2J",
        "\u001B[6n",
        "\u001B[?1049h",
        "\u001B[>4;2m",
        "\u001BPq#0\u001B\\",
        "\u001B_app\u001B\\",
        "\u001Bc",
        "\u001B(0",
        "\u001B#8",
        "\u0007\b\f\u000B\u0000\u007F",
        "\u009B2J",
        "\u0085"
      })
  void filter_controlSequence_isDropped(String sequence) {
    String output = filtered("a" + sequence + "b");
    assertThat(output).startsWith("a").endsWith("b").doesNotContain("\u001B");
    assertThat(filteredByteByByte("a" + sequence + "b")).isEqualTo(output);
    assertThat(output.chars().filter(Character::isISOControl)).isEmpty();
  }

  @Test
  void filter_brokenSequence_keepsLineEnd() {
    assertThat(filtered("a\u001B[12\nb")).isEqualTo("a\nb");
  }

  @Test
  void filter_endlessSequence_isDropped() {
    assertThat(filtered("\u001B[" + "1;".repeat(100_000) + "mx")).isEqualTo("x");
  }
}
