package dev.trainyard.jobfile.dockerfile;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Expands variables in a text: {@code $NAME}, {@code ${NAME}}, {@code ${NAME:-other}}, {@code
 * ${NAME:+other}}. Quotes are removed; within single quotes nothing is expanded.
 */
final class VariableExpansion {
  private static final int DEEPEST = 10;

  private final String text;
  private final Function<String, Optional<String>> variables;
  private final StringBuilder value = new StringBuilder();
  private int at;

  private VariableExpansion(String text, Function<String, Optional<String>> variables) {
    this.text = text;
    this.variables = variables;
  }

  /** Returns the expanded text; an unset variable is empty. */
  static String value(String text, Function<String, Optional<String>> variables) {
    return value(text, variables, 0);
  }

  private static String value(
      String text, Function<String, Optional<String>> variables, int depth) {
    VariableExpansion word = new VariableExpansion(text, variables);
    word.read(depth);
    return word.value.toString();
  }

  private void read(int depth) {
    char quote = 0;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '\\' && quote != '\'' && at < text.length()) {
        char next = text.charAt(at++);
        if (quote == '"' && next != '"' && next != '$' && next != '\\') {
          value.append(c);
        }
        value.append(next);
      } else if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
      } else if (c == quote) {
        quote = 0;
      } else if (c == '$' && quote != '\'') {
        variable(depth);
      } else {
        value.append(c);
      }
    }
  }

  private void variable(int depth) {
    boolean braces = at < text.length() && text.charAt(at) == '{';
    int from = braces ? at + 1 : at;
    int end = from;
    while (end < text.length() && isName(text.charAt(end), end == from)) {
      end++;
    }
    String name = text.substring(from, end);
    int close = braces ? closing(end) : end;
    if (name.isEmpty() || close < 0) {
      value.append('$'); // kept as written
      return;
    }
    String rule = braces ? text.substring(end, close) : "";
    at = braces ? close + 1 : end;
    String found = variables.apply(name).orElse("");
    if (rule.startsWith(":-") || rule.startsWith("-")) {
      value.append(found.isEmpty() ? other(rule, depth) : found);
    } else if (rule.startsWith(":+") || rule.startsWith("+")) {
      value.append(found.isEmpty() ? "" : other(rule, depth));
    } else {
      value.append(found);
    }
  }

  private String other(String rule, int depth) {
    String alternative = rule.substring(rule.startsWith(":") ? 2 : 1);
    return depth >= DEEPEST ? "" : value(alternative, variables, depth + 1);
  }

  /** Returns the index of the closing brace. */
  private int closing(int from) {
    int open = 1;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      open += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (open == 0) {
        return i;
      }
    }
    return -1;
  }

  static boolean isName(char c, boolean first) {
    return c == '_'
        || (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || (!first && c >= '0' && c <= '9');
  }

  /** Splits a line at unquoted blanks; keeps quotes and variables. */
  static List<String> split(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '\\' && quote != '\'' && i + 1 < line.length()) {
        word.append(c).append(line.charAt(++i));
      } else if (quote == 0 && Character.isWhitespace(c)) {
        if (!word.isEmpty()) {
          words.add(word.toString());
          word.setLength(0);
        }
      } else {
        quote = c == quote ? 0 : quote == 0 && (c == '"' || c == '\'') ? c : quote;
        word.append(c);
      }
    }
    if (!word.isEmpty()) {
      words.add(word.toString());
    }
    return words;
  }
}
