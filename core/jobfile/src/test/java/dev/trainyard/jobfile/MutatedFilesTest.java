package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.Messages;
import dev.trainyard.model.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A damaged file results in a job or in problems, never in an error. */
class MutatedFilesTest {
  private static final String[] PIECES = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "null",
    "true",
    "-1",
    "1e999",
    "99999999999999999999",
    "\\",
    "\\ud800",
    "\\u0000",
    "\0",
    "\uFEFF",
    "\r\n",
    "//",
    "'",
    "\"command\":",
    "\"taskRoles\":[",
    "&a ",
    "*a",
    "<<: *a\n",
    "!!int ",
    "---\n",
    "\n  - ",
    "<%",
    "%>",
    "<%# a %>",
    "|-\n",
    "\t",
    "? ",
    "%YAML 99999999999.1\n",
    "\"\\U00110000\"",
    "\u2028",
    "😀"
  };

  /** All characters that end a line in YAML. */
  private static final Set<Integer> LINE_ENDS =
      Set.of((int) '\n', (int) '\r', 0x85, 0x2028, 0x2029);

  private static final boolean IS_FULL_RUN = Boolean.getBoolean("trainyard.full");
  private static final int MUTATIONS = IS_FULL_RUN ? 300 : 30;
  private static final int MAX_CUTS = IS_FULL_RUN ? 1_000 : 100;

  static Stream<String> validFiles() throws IOException {
    return VerdictsTest.verdicts()
        .filter(verdict -> verdict.getValue().get("valid").asBoolean())
        .map(Map.Entry<String, JsonNode>::getKey);
  }

  @ParameterizedTest
  @MethodSource("validFiles")
  void parse_mutatedFile(String file) throws IOException {
    String text = VerdictsTest.text(file);
    Random random = new Random(file.hashCode());
    for (int round = 0; round < MUTATIONS; round++) {
      check(mutate(text, random));
    }
    for (int end = 0; end < text.length(); end += 1 + text.length() / MAX_CUTS) {
      check(text.substring(0, end));
    }
  }

  private static String mutate(String text, Random random) {
    String mutated = text;
    for (int change = random.nextInt(3); change >= 0; change--) {
      int start = random.nextInt(mutated.length());
      int end = Math.min(mutated.length(), start + random.nextInt(20));
      mutated =
          switch (random.nextInt(4)) {
            case 0 -> flipByte(mutated, random);
            case 1 -> mutated.substring(0, start) + mutated.substring(end);
            case 2 -> mutated.substring(0, end) + mutated.substring(start);
            default ->
                mutated.substring(0, start)
                    + PIECES[random.nextInt(PIECES.length)]
                    + mutated.substring(start);
          };
    }
    return mutated;
  }

  private static String flipByte(String text, Random random) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Checks the invariants of every result. */
  static ParsedJob check(String text) {
    ParsedJob job = JobFiles.parse(text);
    assertThat(job.spec().isPresent()).as(text).isEqualTo(job.problems().isEmpty());
    int lines = (int) text.chars().filter(LINE_ENDS::contains).count() + 1;
    for (Problem problem : job.problems()) {
      assertThat(problem.line()).as(text).isBetween(1, lines);
      assertThat(problem.column()).as(text).isPositive();
      assertThat(Messages.ENGLISH.codes()).contains(problem.message().code());
      assertThat(problem.message().english())
          .as(text)
          .hasSizeLessThan(300)
          .matches(english -> text.contains("null}") || !english.contains("null}"))
          .matches(english -> english.chars().noneMatch(Character::isISOControl));
    }
    return job;
  }
}
