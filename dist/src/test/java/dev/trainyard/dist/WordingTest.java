package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Keeps vague or literary wording out of code, messages and documents. A number is the count of
 * proper uses at the time of writing; it may be lowered, but not raised.
 */
class WordingTest {
  private static final Path ROOT = Path.of("..");
  private static final Set<String> SKIPPED = Set.of("target", "node_modules", ".git");
  private static List<String> fileContents;

  @BeforeAll
  static void readFiles() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      fileContents = files.filter(WordingTest::isTextFile).map(WordingTest::readFile).toList();
    }
  }

  private static boolean isTextFile(Path file) {
    for (Path part : ROOT.relativize(file)) {
      if (SKIPPED.contains(part.toString())) {
        return false;
      }
    }
    String name = file.getFileName().toString();
    return !name.equals("WordingTest.java")
        && (name.matches(".*\\.(java|md|ts|tsx|yaml)") || name.equals("messages.properties"))
        && Files.isRegularFile(file);
  }

  private static String readFile(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '$',
      value = {
        "83, \\b(no|every|some|any)body\\b",
        "74, \\b(told|tells?)\\b",
        "68, /\\*\\* ?(What|Who|Whose|Where|Which|How|Why|When)\\b",
        "309, \\b(makes?|made|making)\\b",
        "80, \\broom\\b",
        "60, \\bthose (that|who|of|which)\\b",
        "21, \\bwhoever\\b",
        "60, \\bis no [a-z]+\\b",
        "16, \\bstands?\\b",
        "14, \\b(go|goes|going|went) on\\b",
        "13, \\b(vouch|believe[sd]?|wish)\\b",
        "14, \\b(tried again|anew)\\b",
        "12, \\b(is|are|was|were|not) over\\b",
        "8, (/\\*\\*|//) Of\\b",
        "5, /\\*\\* The same\\b",
        "4, \\bso (many|long|much|little)\\b",
      })
  void wording_discouragedPhrases_notMoreFrequent(int limit, String pattern) {
    Pattern compiled = Pattern.compile(pattern, Pattern.CASE_INSENSITIVE);
    long count =
        fileContents.stream().mapToLong(text -> compiled.matcher(text).results().count()).sum();
    assertThat(count).as(pattern).isLessThanOrEqualTo(limit);
  }
}
