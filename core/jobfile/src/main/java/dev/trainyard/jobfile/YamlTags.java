package dev.trainyard.jobfile;

import dev.trainyard.model.Message;
import org.yaml.snakeyaml.events.ScalarEvent;

/** The tags that a job file may contain: only those that match the type a value has anyway. */
final class YamlTags {
  private static final String STANDARD = "tag:yaml.org,2002:";

  private YamlTags() {}

  static Located scalar(ScalarEvent event, String path, Located.Place place, Problems problems) {
    String word = event.getValue();
    String tag = event.getTag();
    if (tag == null && event.isPlain()) {
      if (word.length() > YamlScalars.LONGEST_NUMBER && word.chars().allMatch(YamlTags::isDigit)) {
        problems.add(path, place, Message.of("jobfile.json-limit"));
      }
      return YamlScalars.value(word, place);
    }
    if (tag == null || tag.equals("!") || tag.equals(STANDARD + "str")) {
      return new Located.Text(word, place);
    }
    Located value = YamlScalars.value(word, place);
    String meant =
        switch (value) {
          case Located.Truth _ -> "bool";
          case Located.Nothing _ -> "null";
          case Located.Numeral numeral -> numeral.whole() ? "int" : "float";
          case Located.Text _, Located.Items _, Located.Table _ -> "str";
        };
    boolean wholeAsFraction = meant.equals("int") && tag.equals(STANDARD + "float");
    if (!wholeAsFraction) {
      expect(meant, tag, path, place, problems);
    }
    return value;
  }

  private static boolean isDigit(int character) {
    return character >= '0' && character <= '9';
  }

  /**
   * @param tag null if there is none
   */
  static void expect(String kind, String tag, String path, Located.Place place, Problems problems) {
    if (tag != null && !tag.equals("!") && !tag.equals(STANDARD + kind)) {
      String written = tag.startsWith(STANDARD) ? "!!" + tag.substring(STANDARD.length()) : tag;
      // An unquoted password that begins with ! is parsed as a tag.
      String shown = Document.isSecret(path) ? Document.HIDDEN : written;
      problems.add(path, place, Message.of("jobfile.yaml-tag", "found", Excerpt.quoted(shown)));
    }
  }
}
