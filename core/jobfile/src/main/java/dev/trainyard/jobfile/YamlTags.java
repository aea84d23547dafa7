package dev.trainyard.jobfile;

import dev.trainyard.model.Message;
import org.yaml.snakeyaml.events.ScalarEvent;

/** Checks tags in a job file. A tag must match the type that the value has without the tag. */
final class YamlTags {
  private static final String STANDARD = "tag:yaml.org,2002:";

  private YamlTags() {}

  static DocumentValue scalar(
      ScalarEvent event, String path, DocumentValue.Position position, Problems problems) {
    String scalarText = event.getValue();
    String tag = event.getTag();
    if (tag == null && event.isPlain()) {
      if (scalarText.length() > YamlScalars.MAX_NUMBER_LENGTH
          && scalarText.chars().allMatch(YamlTags::isDigit)) {
        problems.add(path, position, Message.of("jobfile.json-limit"));
      }
      return YamlScalars.value(scalarText, position);
    }
    if (tag == null || tag.equals("!") || tag.equals(STANDARD + "str")) {
      return new DocumentValue.Text(scalarText, position);
    }
    DocumentValue value = YamlScalars.value(scalarText, position);
    String impliedTag =
        switch (value) {
          case DocumentValue.Bool _ -> "bool";
          case DocumentValue.Null _ -> "null";
          case DocumentValue.Numeral numeral -> numeral.isInteger() ? "int" : "float";
          case DocumentValue.Text _, DocumentValue.Items _, DocumentValue.Table _ -> "str";
        };
    boolean isIntegerAsFloat = impliedTag.equals("int") && tag.equals(STANDARD + "float");
    if (!isIntegerAsFloat) {
      checkTag(impliedTag, tag, path, position, problems);
    }
    return value;
  }

  private static boolean isDigit(int character) {
    return character >= '0' && character <= '9';
  }

  /**
   * @param tag tag of the value; null if it has none
   */
  static void checkTag(
      String kind, String tag, String path, DocumentValue.Position position, Problems problems) {
    if (tag != null && !tag.equals("!") && !tag.equals(STANDARD + kind)) {
      String shownTag = tag.startsWith(STANDARD) ? "!!" + tag.substring(STANDARD.length()) : tag;
      // An unquoted password that begins with ! is parsed as a tag.
      String displayed = Document.isSecret(path) ? Document.MASK_TEXT : shownTag;
      problems.add(
          path, position, Message.of("jobfile.yaml-tag", "found", Excerpt.quoted(displayed)));
    }
  }
}
