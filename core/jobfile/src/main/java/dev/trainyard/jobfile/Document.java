package dev.trainyard.jobfile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A parsed text, independent of its notation.
 *
 * @param tables positions in the text of the values of the outermost {@link #SECRETS} and {@link
 *     #VARIABLES}
 * @param words texts that may repeat a masked value: fields named {@link #PASSWORD}, and texts to
 *     which an alias may refer
 */
record Document(Located root, Map<String, Span> tables, List<Word> words) {
  static final String SECRETS = "secrets";
  static final String VARIABLES = "jobEnvs";
  static final String PASSWORD = "password";
  static final String HIDDEN = "******";
  private static final String MASK = '"' + HIDDEN + '"';

  /** The maximum length of a field name that YAML reads in one line. */
  private static final int LONGEST_NAME = 500;

  /** Returns whether the value at this path must not be quoted. */
  static boolean isSecret(String path) {
    return path.equals(SECRETS) || path.startsWith(SECRETS + ".") || path.startsWith(SECRETS + "[");
  }

  /** Returns whether the position of the value at this path is recorded for masking. */
  static boolean isMaskable(String path) {
    return path.equals(SECRETS) || path.equals(VARIABLES);
  }

  /** A range of characters; the end is exclusive. */
  record Span(int start, int end) {}

  /**
   * @param before prefix of the span that must be kept
   */
  record Word(String value, String before, Span span) {}

  /** Returns the text with secrets and registry passwords masked, in its original notation. */
  String masked(String text) {
    return masked(text, Set.of(SECRETS), new HashSet<>(Passwords.of(root)));
  }

  /**
   * Like {@link #masked(String)}, but also masks the values of variables, for users who may not see
   * them.
   */
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
        // In YAML block style a value ends only where the next one begins, so the trailing line
        // break and indentation are kept.
        String value = text.substring(span.start(), span.end()).stripTrailing();
        masked.append(text, at, span.start()).append(mask.getValue());
        at = span.start() + value.length();
      }
    }
    return masked.append(text, at, text.length()).toString();
  }

  /**
   * Returns the mask as one line that is valid JSON and YAML, so that no comment next to a secret
   * remains.
   */
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
