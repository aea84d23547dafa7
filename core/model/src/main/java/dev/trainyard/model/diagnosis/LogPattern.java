package dev.trainyard.model.diagnosis;

import java.util.List;
import java.util.Locale;

/**
 * What a line of a log says about an end. Plain pieces of text and no regular expressions: logs are
 * written by anybody, and so the time to look at a line must not depend on what is in it.
 *
 * @param all in lower case; a line that has all of these tells of {@code exit} …
 * @param none … unless it has one of these
 */
record LogPattern(Exit exit, Weight weight, List<String> all, List<String> none) {
  LogPattern {
    all = all.stream().map(piece -> piece.toLowerCase(Locale.ROOT)).toList();
    none = none.stream().map(piece -> piece.toLowerCase(Locale.ROOT)).toList();
  }

  /** How sure it is that such a line is about the end, plainest first. */
  enum Weight {
    /** A root cause: whoever says this hardly goes on. */
    PLAIN,
    /** An error that may have been survived: the last one in the log counts. */
    LIKELY,
    /** Mostly the consequence of something else. */
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

  /** What a line is shown from, if it is too long. */
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
