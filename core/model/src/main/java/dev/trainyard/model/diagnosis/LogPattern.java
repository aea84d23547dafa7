package dev.trainyard.model.diagnosis;

import java.util.List;
import java.util.Locale;

/**
 * A pattern for log lines that explain an end. It uses plain substrings instead of regular
 * expressions because the content of logs is untrusted: the time to examine a line must not depend
 * on its content.
 *
 * @param requiredTexts texts in lower case; a line that contains all of them indicates {@code exit}
 * @param excludedTexts texts in lower case; a line that contains one of them does not match
 */
record LogPattern(
    Exit exit, Confidence confidence, List<String> requiredTexts, List<String> excludedTexts) {
  LogPattern {
    requiredTexts = requiredTexts.stream().map(piece -> piece.toLowerCase(Locale.ROOT)).toList();
    excludedTexts = excludedTexts.stream().map(piece -> piece.toLowerCase(Locale.ROOT)).toList();
  }

  /** Confidence that a matching line explains the end, highest first. */
  enum Confidence {
    /** A root cause: a program that logs this rarely continues. */
    ROOT_CAUSE,
    /**
     * An error after which the program may have continued; the last such error in the log counts.
     */
    LIKELY,
    /** Usually the consequence of another error. */
    HINT
  }

  static LogPattern rootCause(Exit exit, String... requiredTexts) {
    return new LogPattern(exit, Confidence.ROOT_CAUSE, List.of(requiredTexts), List.of());
  }

  static LogPattern likely(Exit exit, String... requiredTexts) {
    return new LogPattern(exit, Confidence.LIKELY, List.of(requiredTexts), List.of());
  }

  static LogPattern hint(Exit exit, String... requiredTexts) {
    return new LogPattern(exit, Confidence.HINT, List.of(requiredTexts), List.of());
  }

  LogPattern unless(String... newExcludedTexts) {
    return new LogPattern(exit, confidence, requiredTexts, List.of(newExcludedTexts));
  }

  /** Returns the text that must be visible if a long line is shortened. */
  String firstText() {
    return requiredTexts.isEmpty() ? "" : requiredTexts.getFirst();
  }

  /**
   * @param line in lower case
   */
  boolean matches(String line) {
    for (String piece : requiredTexts) {
      if (!line.contains(piece)) {
        return false;
      }
    }
    for (String piece : excludedTexts) {
      if (line.contains(piece)) {
        return false;
      }
    }
    return true;
  }
}
