package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchScriptTest {
  @Test
  void of_quotesEverything() {
    assertThat(LaunchScript.of(Map.of("A", "it's $(rm)\n`x`"), "/it's", "/p", ""))
        .contains("cd -- '/it'\\''s' ||")
        .contains("'A=it'\\''s $(rm)\n`x`' \\\n")
        .contains("export A='it'\\''s $(rm)\n`x`'\n")
        .endsWith("exec \"$shell\" '/p/runtime.d/user.sh'\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"odd.name", "IFS", "PWD", "1A", "OPTIND"})
  void of_namesThatNoShellTakes(String name) {
    assertThat(LaunchScript.of(Map.of(name, "x"), "/", "/p", ""))
        .doesNotContain("export")
        .endsWith("begin \"$shell\" '/p/runtime.d/user.sh'\n");
  }

  @Test
  void exports_whatAShellCanHave() {
    Map<String, String> variables =
        Map.of("B", "it's\n$x", "A", "", "odd.name", "x", "UID", "5", "shell", "zsh");
    assertThat(LaunchScript.exports(variables))
        .isEqualTo("export A=\'\'\nexport B='it'\\''s\n$x'\nexport shell='zsh'\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a=b", "-i", "nul\0"})
  void check_badName(String name) {
    assertThatThrownBy(() -> LaunchScript.check(Map.of(name, "x")))
        .isInstanceOf(EngineException.class);
  }

  @Test
  void check_tooLongForTheKernel() {
    assertThatThrownBy(() -> LaunchScript.check(Map.of("BIG", "x".repeat(128 * 1024))))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("BIG");
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < 20; i++) {
      many.put("V" + i, "x".repeat(100_000));
    }
    assertThatThrownBy(() -> LaunchScript.check(many))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("together");
  }
}
