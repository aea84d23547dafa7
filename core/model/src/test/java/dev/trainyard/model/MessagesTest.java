package dev.trainyard.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MessagesTest {
  private static final Pattern PLACEHOLDER =
      Pattern.compile("\\{(\\w+)(:size|\\|[^|{}]*\\|[^|{}]*(\\|[^|{}]*)?)?}");

  static Stream<String> codes() {
    Set<String> codes = new TreeSet<>(Messages.ENGLISH.codes());
    codes.addAll(Messages.CHINESE.codes());
    return codes.stream();
  }

  private static Set<String> placeholders(String template) {
    return PLACEHOLDER
        .matcher(template)
        .results()
        .map((MatchResult placeholder) -> placeholder.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @ParameterizedTest
  @MethodSource("codes")
  void template_everyCode_hasSamePlaceholdersInBothLanguages(String code) {
    String english = Messages.ENGLISH.template(code);
    String chinese = Messages.CHINESE.template(code);
    assertThat(english).as("English").isNotBlank();
    assertThat(chinese).as("Chinese").isNotBlank();
    assertThat(placeholders(chinese)).isEqualTo(placeholders(english));
  }

  @ParameterizedTest
  @MethodSource("codes")
  void template_wellFormed(String code) {
    for (Messages messages : Set.of(Messages.ENGLISH, Messages.CHINESE)) {
      String template = messages.template(code);
      assertThat(PLACEHOLDER.matcher(template).replaceAll("")).doesNotContain("{", "}", "|");
      assertThat(template).isNotBlank().doesNotContain("  ", "\uFFFD");
      // Fragments of the command-line help are concatenated, so their leading and trailing blanks
      // may matter.
      assertThat(template).matches(text -> code.startsWith("cli.") || text.equals(text.strip()));
    }
    assertThat(Messages.ENGLISH.template(code))
        .doesNotMatch(".*\\p{IsHan}.*")
        .doesNotMatch(".*\\p{Cntrl}.*");
    assertThat(code).matches("[a-z]+(\\.[A-Za-z0-9]+(-[a-z0-9]+)*)+");
  }

  /** A size is a placeholder of its own, so that its unit is chosen like everywhere else. */
  @ParameterizedTest
  @MethodSource("codes")
  void template_sizes_haveNoFixedUnit(String code) {
    for (Messages messages : Set.of(Messages.ENGLISH, Messages.CHINESE)) {
      assertThat(messages.template(code)).doesNotMatch(".*}\\s*[KMGT]i?B\\b.*");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 8192, '0 MiB, the largest node has 8 GiB'",
    "512, 1536, '512 MiB, the largest node has 1.5 GiB'",
    "32768, 2097152, '32 GiB, the largest node has 2 TiB'",
    "2001, 2000, '2001 MiB, the largest node has 2000 MiB'",
  })
  void text_sizes(long needed, int most, String expected) {
    Message message =
        Message.of("wait.never-memory", "memoryMB", needed).with("mostMemoryMB", most);
    assertThat(message.english()).isEqualTo("needs " + expected.replace(",", " of memory,"));
  }

  @Test
  void text_sizeThatIsNotANumber_isShownUnchanged() {
    assertThat(Message.of("end.out-of-memory", "memoryMB", "?").english()).endsWith("limit of ?");
    assertThat(Message.of("end.out-of-memory").english()).endsWith("limit of memoryMB");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 'needs 0 GPUs: 0 of 8 are free, 0'",
    "1, 'needs 1 GPU: 1 of 8 is free, 1'",
    "2, 'needs 2 GPUs: 2 of 8 are free, 2'",
  })
  void text_singularAndPlural(int count, String expected) {
    Message message =
        new Message(
            "wait.devices",
            Map.of(
                "devices",
                count,
                "kind",
                "GPU",
                "freeDevices",
                (long) count,
                "totalDevices",
                "8",
                "ahead",
                0));
    assertThat(Messages.ENGLISH.text(message) + ", " + count).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"0, ''", "1, ', 1 job ahead'", "5, ', 5 jobs ahead'"})
  void text_zeroOneMany_differ(int ahead, String expected) {
    assertThat(Message.of("wait.no-machine", "ahead", ahead).english())
        .isEqualTo("no node is available" + expected);
  }

  @Test
  void text_valuesAreNotTemplates() {
    assertThat(Message.of("jobfile.want-text", "found", "{found} $1 \\ {a|b|c}").english())
        .endsWith("found {found} $1 \\ {a|b|c}");
  }

  @Test
  void text_unknownCode() {
    assertThat(Message.of("new.code").english()).isEqualTo("new.code");
    assertThat(Message.of("new.code", "a", 1).english()).isEqualTo("new.code {a=1}");
  }

  @Test
  void of_locale_selectsLanguage() {
    assertThat(Messages.of(Locale.SIMPLIFIED_CHINESE)).isSameAs(Messages.CHINESE);
    assertThat(Messages.of(Locale.GERMANY)).isSameAs(Messages.ENGLISH);
  }

  @Test
  void with_keepsTheOriginal() {
    Message message = Message.of("a.b", "x", 1);
    assertThat(message.with("y", 2).params()).containsExactly(Map.entry("x", 1), Map.entry("y", 2));
    assertThat(message.params()).containsExactly(Map.entry("x", 1));
  }

  @Test
  void text_nestedMessage_sameLanguage() {
    Message message =
        Message.of("config.bad-value", "value", "x")
            .with("expected", Message.of("config.expected.path"));
    assertThat(Messages.ENGLISH.text(message)).isEqualTo("has the value \"x\", but must be a path");
    assertThat(Messages.CHINESE.text(message)).contains("路径").doesNotContain("path");
  }
}
