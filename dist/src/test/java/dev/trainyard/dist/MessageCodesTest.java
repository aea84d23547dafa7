package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares the message codes in the sources with the message files. */
class MessageCodesTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern MAIN_SOURCE = Pattern.compile(".*/src/main/java/.*\\.java");

  /** File names and audit actions, which look like message codes. */
  private static final Set<String> OTHER_NAMES =
      Set.of("end.json", "end.draft", "template.create", "template.change", "template.delete");

  private static final String WORD = "[a-z0-9]+(?:-[a-z0-9]+)*";
  private static final String WORDS = "\"" + WORD + "\"(?:,\\s*\"" + WORD + "\")*";
  private static final Pattern CODE =
      Pattern.compile("\"((?:" + String.join("|", categories()) + ")\\.[A-Za-z0-9.-]*)\"(?!\\s*:)");
  private static final Pattern COMPOSED =
      Pattern.compile(CODE.pattern() + "\\s*\\+\\s*(\\w+)(?:\\s*\\+\\s*\"([a-z-]+)\")?");
  private static final Pattern LISTED =
      Pattern.compile("(?:Stream\\.of\\(|new String\\[] \\{)\\s*(" + WORDS + ")");
  private static final Pattern PARAMETER = Pattern.compile("\\b(\\w+)\\(String(\\.\\.\\.)? (\\w+)");

  private static final Map<String, String> SOURCES = new TreeMap<>();

  private static Set<String> categories() {
    return Messages.ENGLISH.codes().stream()
        .map(code -> code.substring(0, code.indexOf('.')))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @BeforeAll
  static void readSources() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path file :
          files.filter(path -> MAIN_SOURCE.matcher(path.toString()).matches()).toList()) {
        SOURCES.put(file.toString(), Files.readString(file));
      }
    }
  }

  private static boolean exists(String code) {
    return Messages.ENGLISH.template(code) != null && Messages.CHINESE.template(code) != null;
  }

  private static boolean isPrefix(String text) {
    return Messages.ENGLISH.codes().stream().anyMatch(code -> code.startsWith(text));
  }

  /** Returns whether a literal is a code, or the beginning of codes that the program completes. */
  private static boolean isKnown(String literal) {
    return exists(literal)
        || OTHER_NAMES.contains(literal)
        || (literal.matches(".*[.-]") ? isPrefix(literal) : isPrefix(literal + "."));
  }

  @Test
  void literal_everyCode_hasMessages() {
    Set<String> literals = new TreeSet<>();
    SOURCES
        .values()
        .forEach(
            source -> CODE.matcher(source).results().forEach(code -> literals.add(code.group(1))));
    assertThat(literals).hasSizeGreaterThan(800).allMatch(MessageCodesTest::isKnown);
  }

  @Test
  void composedCode_everyName_hasMessages() {
    Set<String> codes = new TreeSet<>();
    SOURCES
        .values()
        .forEach(
            source ->
                COMPOSED
                    .matcher(source)
                    .results()
                    .forEach(
                        composed -> {
                          String suffix = composed.group(3) == null ? "" : composed.group(3);
                          names(source, composed)
                              .forEach(name -> codes.add(composed.group(1) + name + suffix));
                        }));
    assertThat(codes)
        .contains("cli.column.used-cpus", "cli.exits.codes", "cli.profile.email", "error.vc-name")
        .allMatch(MessageCodesTest::exists);
  }

  /**
   * Returns the names that complete a code: a list of literals in the same statement, or the
   * literals that callers in the same file pass to the method.
   */
  private static List<String> names(String source, MatchResult composed) {
    String before = source.substring(0, composed.start());
    String statement = before.substring(before.lastIndexOf(';') + 1);
    Matcher listed = LISTED.matcher(statement);
    if (listed.find()) {
      return words(listed.group(1));
    }
    List<MatchResult> parameters = PARAMETER.matcher(before).results().toList();
    if (parameters.isEmpty()) {
      return List.of();
    }
    MatchResult parameter = parameters.getLast();
    boolean isList = parameter.group(2) != null;
    boolean isUsed =
        isList
            ? statement.contains("(" + parameter.group(3) + ")")
            : parameter.group(3).equals(composed.group(2));
    return isUsed ? arguments(source, parameter.group(1), isList) : List.of();
  }

  private static List<String> arguments(String source, String method, boolean isList) {
    return Pattern.compile("\\b" + method + "\\(\\s*(" + WORDS + ")")
        .matcher(source)
        .results()
        .flatMap(call -> words(call.group(1)).stream().limit(isList ? Long.MAX_VALUE : 1))
        .toList();
  }

  private static List<String> words(String literals) {
    return Pattern.compile(WORD).matcher(literals).results().map(MatchResult::group).toList();
  }
}
