package dev.trainyard.jobfile;

import dev.trainyard.model.Message;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Checks that apply to every text of a job file. */
final class Texts {
  private Texts() {}

  /** Returns the problem of a text, if there is one. */
  static Optional<Message> fault(String text, int limit) {
    if (text.length() > limit) {
      return Optional.of(
          Message.of("jobfile.text-long", "limit", limit).with("length", text.length()));
    }
    if (text.indexOf('\0') >= 0) {
      return Optional.of(Message.of("jobfile.text-nul"));
    }
    // Half a surrogate pair cannot be written to a file, a database or an environment.
    if (text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= 0xDFFF)) {
      return Optional.of(Message.of("jobfile.text-surrogate"));
    }
    return Optional.empty();
  }

  /** Returns the known name that is most similar to a misspelled one, if one is close. */
  static Optional<String> mostSimilar(String name, Collection<String> known) {
    if (name.length() > 40) {
      return Optional.empty();
    }
    String written = name.toLowerCase(Locale.ROOT);
    return known.stream()
        .filter(candidate -> isSimilar(written, candidate.toLowerCase(Locale.ROOT)))
        .min(Comparator.comparingInt(c -> distance(written, c.toLowerCase(Locale.ROOT))));
  }

  private static boolean isSimilar(String written, String candidate) {
    return distance(written, candidate) <= 2
        || (written.length() >= 4 && candidate.startsWith(written));
  }

  /** Returns the Levenshtein distance. */
  private static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
