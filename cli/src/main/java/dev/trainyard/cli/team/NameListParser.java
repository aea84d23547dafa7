package dev.trainyard.cli.team;

import java.util.ArrayList;
import java.util.List;

/** Parses lists of names: comma-separated or one per option; an empty string means none. */
final class NameListParser {
  private NameListParser() {}

  static List<String> parse(List<String> optionValues) {
    List<String> names = new ArrayList<>();
    for (String text : optionValues) {
      for (String name : text.split(",", -1)) {
        if (!name.isBlank()) {
          names.add(name.strip());
        }
      }
    }
    return names;
  }
}
