package dev.trainyard.jobfile;

import dev.trainyard.model.Message;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Rules that apply to every text of a job file. */
final class TextRules {
  private TextRules() {}

  /** Returns the problem of a text; empty if the text is valid. */
  static Optional<Message> findProblem(String text, int limit) {
    if (text.length() > limit) {
      return Optional.of(
          Message.of("jobfile.text-long", "limit", limit).with("length", text.length()));
    }
    if (text.indexOf('\0') >= 0) {
      return Optional.of(Message.of("jobfile.text-nul"));
    }
    // An unpaired surrogate cannot be written to a file, a database or an environment.
    if (text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= 0xDFFF)) {
      return Optional.of(Message.of("jobfile.text-surrogate"));
    }
    return Optional.empty();
  }

  /** Returns the known name that is most similar to a misspelled name; empty if none is similar. */
  static Optional<String> mostSimilar(String name, Collection<String> knownNames) {
    if (name.length() > 40) {
      return Optional.empty();
    }
    String lowerName = name.toLowerCase(Locale.ROOT);
    return knownNames.stream()
        .filter(candidate -> isSimilar(lowerName, candidate.toLowerCase(Locale.ROOT)))
        .min(Comparator.comparingInt(c -> distance(lowerName, c.toLowerCase(Locale.ROOT))));
  }

  private static boolean isSimilar(String lowerName, String candidate) {
    return distance(lowerName, candidate) <= 2
        || (lowerName.length() >= 4 && candidate.startsWith(lowerName));
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
        int replacementCost = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replacementCost, 1 + Math.min(previous[j], current[j - 1]));
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
