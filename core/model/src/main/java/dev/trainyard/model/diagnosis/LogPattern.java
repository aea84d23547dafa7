package dev.trainyard.model.diagnosis;

import java.util.List;
import java.util.Locale;

/**
 * A pattern for log lines that explain an end. It uses plain substrings instead of regular
 * expressions because the content of logs is untrusted: the time to examine a line must not depend
 * on its content.
 *
 * @param all in lower case; a line that contains all of these indicates {@code exit}
 * @param none a line that contains one of these does not match
 */
record LogPattern(Exit exit, Weight weight, List<String> all, List<String> none) {
  LogPattern {
    all = all.stream().map(piece -> piece.toLowerCase(Locale.ROOT)).toList();
    none = none.stream().map(piece -> piece.toLowerCase(Locale.ROOT)).toList();
  }

  /** Confidence that a matching line explains the end, highest first. */
  enum Weight {
    /** A root cause: a program that logs this rarely continues. */
    PLAIN,
    /** An error that the program may have survived: the last one in the log counts. */
    LIKELY,
    /** Usually the consequence of another error. */
    HINT
  }

  static LogPattern plain(Exit exit, String... all) {
    return new LogPattern(exit, Weight.PLAIN, List.of(all), List.of());
  }

  static LogPattern likely(Exit exit, String... all) {
    return new LogPattern(exit, Weight.LIKELY, List.of(all), List.of());
  }

  static LogPattern hint(Exit exit, String... all) {
    return new LogPattern(exit, Weight.HINT, List.of(all), List.of());
  }

  LogPattern unless(String... others) {
    return new LogPattern(exit, weight, all, List.of(others));
  }

  /** Returns the text from which a line is shown if it is too long. */
  String first() {
    return all.isEmpty() ? "" : all.getFirst();
  }

  /**
   * @param line in lower case
   */
  boolean matches(String line) {
    for (String piece : all) {
      if (!line.contains(piece)) {
        return false;
      }
    }
    for (String piece : none) {
      if (line.contains(piece)) {
        return false;
      }
    }
    return true;
  }
}
