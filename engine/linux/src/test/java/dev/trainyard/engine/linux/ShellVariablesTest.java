package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellVariablesTest {
  @Test
  void exports_omitsSpecialNames() {
    Map<String, String> variables =
        Map.of("B", "it's\n$x", "A", "", "odd.name", "x", "UID", "5", "shell", "zsh");
    assertThat(ShellVariables.exports(variables))
        .isEqualTo("export A=\'\'\nexport B='it'\\''s\n$x'\nexport shell='zsh'\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a=b", "-i", "nul\0"})
  void check_badName(String name) {
    assertThatThrownBy(() -> ShellVariables.check(Map.of(name, "x")))
        .isInstanceOf(EngineException.class);
  }

  @Test
  void check_tooLongForTheKernel() {
    assertThatThrownBy(() -> ShellVariables.check(Map.of("BIG", "x".repeat(128 * 1024))))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("BIG");
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < 20; i++) {
      many.put("V" + i, "x".repeat(100_000));
    }
    assertThatThrownBy(() -> ShellVariables.check(many))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("total size");
  }
}
