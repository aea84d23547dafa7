package dev.trainyard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Messages;
import dev.trainyard.model.TaskState;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LocalizerTest {
  private static final Localizer ENGLISH = Localizer.of(Locale.ENGLISH);
  private static final Localizer CHINESE = Localizer.of(Locale.CHINESE);

  @Test
  void language_option_precedesEnvironment() {
    assertThat(Localizer.language(null, Map.of("LANG", "zh_CN.UTF-8"))).isEqualTo(Locale.CHINESE);
    assertThat(Localizer.language("en", Map.of("LANG", "zh_CN.UTF-8"))).isEqualTo(Locale.ENGLISH);
    assertThat(Localizer.language(null, Map.of("LC_ALL", "C", "LANG", "zh_CN")))
        .isEqualTo(Locale.ENGLISH);
    assertThat(Localizer.language(null, Map.of())).isEqualTo(Locale.ENGLISH);
  }

  @Test
  void ago_variousSpans() {
    assertThat(ENGLISH.ago(0, 1_000)).isEqualTo("just now");
    assertThat(ENGLISH.ago(0, 185_000)).isEqualTo("3 min ago");
    assertThat(CHINESE.ago(0, 185_000)).isEqualTo("3 分钟前");
    assertThat(ENGLISH.ago(0, 47 * 3_600_000L)).isEqualTo("47 h ago");
    assertThat(ENGLISH.ago(0, 49 * 3_600_000L)).isEqualTo("2 days ago");
    assertThat(ENGLISH.ago(9_000, 0)).as("a clock that is ahead").isEqualTo("just now");
  }

  @Test
  void megabytes_usesShortestForm() {
    assertThat(Localizer.megabytes(512)).isEqualTo("512 MiB");
    assertThat(Localizer.megabytes(65_536)).isEqualTo("64 GiB");
    assertThat(Localizer.megabytes(1_572_864)).isEqualTo("1.5 TiB");
  }

  @Test
  void enumText_everyStateAndReason_hasText() {
    for (JobState state : JobState.values()) {
      String name = state.name().toLowerCase(Locale.ROOT);
      assertThat(CHINESE.hasMessage("cli.state." + name)).as(name).isTrue();
      assertThat(CHINESE.hasMessage("cli.why." + name)).as(name).isTrue();
    }
    for (TaskState state : TaskState.values()) {
      assertThat(CHINESE.enumText("cli.task-state", state.name())).isNotEqualTo(state.name());
    }
    for (ExitReason reason : ExitReason.values()) {
      assertThat(CHINESE.enumText("cli.exit", reason.name())).isNotEqualTo(reason.name());
    }
    assertThat(ENGLISH.enumText("cli.state", "NEWER")).isEqualTo("NEWER");
  }

  @Test
  void templates_bothLanguages_sameCodesAndParameters() {
    Set<String> english = cliCodes(Messages.ENGLISH);
    assertThat(cliCodes(Messages.CHINESE)).isEqualTo(english);
    for (String code : english) {
      // Chinese has no plural forms, so only the names of the parameters must be equal.
      assertThat(parameters(Messages.CHINESE.template(code)))
          .as(code)
          .isEqualTo(parameters(Messages.ENGLISH.template(code)));
    }
  }

  private static Set<String> cliCodes(Messages messages) {
    return messages.codes().stream()
        .filter(code -> code.startsWith("cli."))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> parameters(String template) {
    return Pattern.compile("\\{(\\w+)")
        .matcher(template)
        .results()
        .map(result -> result.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
