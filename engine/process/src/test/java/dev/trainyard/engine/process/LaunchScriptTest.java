package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.SecretFiles;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchScriptTest {
  private static final LaunchScript.ScriptPaths RUN =
      LaunchScript.ScriptPaths.of("/p", "/s", SecretFiles.NONE);

  @Test
  void of_quotesEverything() {
    assertThat(LaunchScript.of(Map.of("A", "it's $(rm)\n`x`"), "/it's", RUN, ""))
        .contains("cd -- '/it'\\''s' ||")
        .contains("'A=it'\\''s $(rm)\n`x`' \\\n")
        .contains("export A='it'\\''s $(rm)\n`x`'\n")
        .contains(
            "\nset --\n[ ! -e '/p/runtime.d/around.sh' ] || set -- '/p/runtime.d/around.sh' '/s'\n")
        .endsWith("exec \"$shell\" \"$@\" '/p/runtime.d/user.sh'\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"odd.name", "IFS", "PWD", "1A", "OPTIND"})
  void of_namesThatShellsReject(String name) {
    assertThat(LaunchScript.of(Map.of(name, "x"), "/", RUN, ""))
        .doesNotContain("export")
        .endsWith("begin \"$shell\" \"$@\" '/p/runtime.d/user.sh'\n");
  }
}
