package dev.trainyard.jobfile.dockerfile;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Parses one or more pairs of the form {@code NAME=value}, or a single pair of the old form {@code
 * NAME value}.
 */
final class NameValuePairs {
  private NameValuePairs() {}

  /**
   * Returns the pairs in their order, with quotes and variables unchanged; empty if the text is
   * invalid.
   */
  static List<Map.Entry<String, String>> of(String text) {
    List<String> words = VariableExpansion.split(text);
    if (words.isEmpty()) {
      return List.of();
    }
    if (words.getFirst().indexOf('=') < 0) {
      String[] parts = text.split("\\s+", 2);
      return parts.length < 2 ? List.of() : List.of(Map.entry(parts[0], parts[1]));
    }
    List<Map.Entry<String, String>> pairs = new ArrayList<>();
    for (String word : words) {
      int equalsSign = word.indexOf('=');
      if (equalsSign <= 0) {
        return List.of();
      }
      pairs.add(Map.entry(word.substring(0, equalsSign), word.substring(equalsSign + 1)));
    }
    return pairs;
  }
}
