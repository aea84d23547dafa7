package dev.trainyard.jobfile.dockerfile;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Expands variables in a text as a shell does: {@code $NAME}, {@code ${NAME}}, {@code
 * ${NAME:-other}}, {@code ${NAME:+other}}, and without the colon {@code ${NAME-other}}, {@code
 * ${NAME+other}}, for which a variable that is set to an empty text counts as set. Quotes are
 * removed; within single quotes nothing is expanded.
 */
final class VariableExpansion {
  private static final int MAX_DEPTH = 10;

  private final String text;
  private final Function<String, Optional<String>> variables;
  private final StringBuilder value = new StringBuilder();
  private int index;

  private VariableExpansion(String text, Function<String, Optional<String>> variables) {
    this.text = text;
    this.variables = variables;
  }

  /** Returns the expanded text; an unset variable is empty. */
  static String expand(String text, Function<String, Optional<String>> variables) {
    return expand(text, variables, 0);
  }

  private static String expand(
      String text, Function<String, Optional<String>> variables, int depth) {
    VariableExpansion expansion = new VariableExpansion(text, variables);
    expansion.read(depth);
    return expansion.value.toString();
  }

  private void read(int depth) {
    char quote = 0;
    while (index < text.length()) {
      char c = text.charAt(index++);
      if (c == '\\' && quote != '\'' && index < text.length()) {
        char next = text.charAt(index++);
        if (quote == '"' && next != '"' && next != '$' && next != '\\') {
          value.append(c);
        }
        value.append(next);
      } else if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
      } else if (c == quote) {
        quote = 0;
      } else if (c == '$' && quote != '\'') {
        expandVariable(depth);
      } else {
        value.append(c);
      }
    }
  }

  private void expandVariable(int depth) {
    boolean hasBraces = index < text.length() && text.charAt(index) == '{';
    int nameStart = hasBraces ? index + 1 : index;
    int end = nameStart;
    while (end < text.length() && isName(text.charAt(end), end == nameStart)) {
      end++;
    }
    String name = text.substring(nameStart, end);
    int close = hasBraces ? findClosingBrace(end) : end;
    if (name.isEmpty() || close < 0) {
      value.append('$'); // the dollar sign is kept
      return;
    }
    String rule = hasBraces ? text.substring(end, close) : "";
    index = hasBraces ? close + 1 : end;
    Optional<String> variable = variables.apply(name);
    boolean isSet =
        rule.startsWith(":")
            ? variable.filter(set -> !set.isEmpty()).isPresent()
            : variable.isPresent();
    if (rule.startsWith(":-") || rule.startsWith("-")) {
      value.append(isSet ? variable.get() : expandAlternative(rule, depth));
    } else if (rule.startsWith(":+") || rule.startsWith("+")) {
      value.append(isSet ? expandAlternative(rule, depth) : "");
    } else {
      value.append(variable.orElse(""));
    }
  }

  private String expandAlternative(String rule, int depth) {
    String alternative = rule.substring(rule.startsWith(":") ? 2 : 1);
    return depth >= MAX_DEPTH ? "" : expand(alternative, variables, depth + 1);
  }

  /** Returns the index of the closing brace. */
  private int findClosingBrace(int from) {
    int openBraces = 1;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      openBraces += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (openBraces == 0) {
        return i;
      }
    }
    return -1;
  }

  static boolean isName(char c, boolean isFirst) {
    return c == '_'
        || (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || (!isFirst && c >= '0' && c <= '9');
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
