package dev.trainyard.jobfile;

import java.util.Optional;

/**
 * A text that was read, in whatever notation.
 *
 * @param secrets where in the text the value of the outermost {@code secrets} stands
 */
record Document(Located root, Optional<Span> secrets) {
  static final String SECRETS = "secrets";
  static final String HIDDEN = "******";
  private static final String MASK = '"' + HIDDEN + '"';

  /** Whether what stands at this path must not be quoted. */
  static boolean isSecret(String path) {
    return path.equals(SECRETS) || path.startsWith(SECRETS + ".") || path.startsWith(SECRETS + "[");
  }

  /** From one character to before another. */
  record Span(int start, int end) {}

  /** The text without the values of its secrets, and still in its notation. */
  String masked(String text) {
    if (secrets.isEmpty()) {
      return text;
    }
    Span span = secrets.get();
    // In blocks of YAML a value ends only where the next one begins: leave line and indentation.
    String value = text.substring(span.start(), span.end()).stripTrailing();
    return text.substring(0, span.start()) + MASK + text.substring(span.start() + value.length());
  }
}
