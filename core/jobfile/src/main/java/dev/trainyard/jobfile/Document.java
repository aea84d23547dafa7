package dev.trainyard.jobfile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A text that was read, in whatever notation.
 *
 * @param tables where in the text the values of the outermost {@link #SECRETS} and {@link
 *     #VARIABLES} stand
 * @param words texts that may be what is masked elsewhere: those called {@link #PASSWORD}, and
 *     those that an alias may refer to
 */
record Document(Located root, Map<String, Span> tables, List<Word> words) {
  static final String SECRETS = "secrets";
  static final String VARIABLES = "jobEnvs";
  static final String PASSWORD = "password";
  static final String HIDDEN = "******";
  private static final String MASK = '"' + HIDDEN + '"';

  /** YAML reads no longer name of a field in one line. */
  private static final int LONGEST_NAME = 500;

  /** Whether what stands at this path must not be quoted. */
  static boolean isSecret(String path) {
    return path.equals(SECRETS) || path.startsWith(SECRETS + ".") || path.startsWith(SECRETS + "[");
  }

  /** Whether it is one of those whose place is kept. */
  static boolean isMaskable(String path) {
    return path.equals(SECRETS) || path.equals(VARIABLES);
  }

  /** From one character to before another. */
  record Span(int start, int end) {}

  /**
   * @param before what of its span has to stay
   */
  record Word(String value, String before, Span span) {}

  /** The text without its secrets and the passwords of registries, and still in its notation. */
  String masked(String text) {
    return masked(text, Set.of(SECRETS), new HashSet<>(Passwords.of(root)));
  }

  /** The same for those to whom the values of variables are not said either. */
  String maskedForOthers(String text) {
    Set<String> hidden = new HashSet<>(Passwords.of(root));
    if (field(VARIABLES) instanceof Located.Table variables) {
      PlainValues.map(variables).values().forEach(value -> hidden.add(String.valueOf(value)));
    }
    return masked(text, Set.of(SECRETS, VARIABLES), hidden);
  }

  private Located field(String name) {
    return root instanceof Located.Table table ? table.fields().get(name) : null;
  }

  private String masked(String text, Set<String> names, Set<String> hidden) {
    Map<Span, String> masks = new TreeMap<>(Comparator.comparingInt(Span::start));
    words.stream()
        .filter(word -> hidden.contains(word.value()))
        .forEach(word -> masks.put(word.span(), word.before() + MASK));
    names.stream()
        .filter(tables::containsKey)
        .forEach(name -> masks.put(tables.get(name), maskOf(field(name))));
    StringBuilder masked = new StringBuilder();
    int at = 0;
    for (Map.Entry<Span, String> mask : masks.entrySet()) {
      Span span = mask.getKey();
      if (span.start() >= at) {
        // In blocks of YAML a value ends only where the next one begins: leave line and indent.
        String value = text.substring(span.start(), span.end()).stripTrailing();
        masked.append(text, at, span.start()).append(mask.getValue());
        at = span.start() + value.length();
      }
    }
    return masked.append(text, at, text.length()).toString();
  }

  /** In one line that is JSON and YAML, so that no comment beside a secret stays. */
  private static String maskOf(Located value) {
    return value instanceof Located.Table table && hasShortNames(table) ? named(table) : MASK;
  }

  private static boolean hasShortNames(Located value) {
    return switch (value) {
      case Located.Table table ->
          table.fields().keySet().stream().allMatch(name -> name.length() <= LONGEST_NAME)
              && table.fields().values().stream().allMatch(Document::hasShortNames);
      case Located.Items items -> items.values().stream().allMatch(Document::hasShortNames);
      default -> true;
    };
  }

  private static String named(Located value) {
    List<String> parts = new ArrayList<>();
    return switch (value) {
      case Located.Table table -> {
        table
            .fields()
            .forEach((name, one) -> parts.add(YamlText.escaped(name) + ": " + named(one)));
        yield "{" + String.join(", ", parts) + "}";
      }
      case Located.Items items -> {
        items.values().forEach(one -> parts.add(named(one)));
        yield "[" + String.join(", ", parts) + "]";
      }
      default -> MASK;
    };
  }
}
