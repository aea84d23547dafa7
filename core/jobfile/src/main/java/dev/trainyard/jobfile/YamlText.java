package dev.trainyard.jobfile;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.reader.StreamReader;

/** Writes maps, lists, texts, numbers and booleans as readable YAML. */
final class YamlText {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_/][A-Za-z0-9_./@+-]*");
  private static final DocumentValue.Position ANY_POSITION = new DocumentValue.Position(1, 1);

  private final StringBuilder text = new StringBuilder();

  private YamlText() {}

  static String of(Map<String, ?> fields) {
    YamlText yaml = new YamlText();
    yaml.table(fields, "");
    return yaml.text.toString();
  }

  private void table(Map<?, ?> fields, String indent) {
    String lineIndent = "";
    for (Map.Entry<?, ?> field : fields.entrySet()) {
      text.append(lineIndent).append(scalar(String.valueOf(field.getKey()), null)).append(':');
      lineIndent = indent;
      value(field.getValue(), indent, false);
    }
  }

  private void items(List<?> items, String indent) {
    for (Object item : items) {
      text.append(indent).append('-');
      value(item, indent, true);
    }
  }

  private void value(Object value, String indent, boolean inList) {
    String childIndent = indent + "  ";
    switch (value) {
      case Map<?, ?> fields when !fields.isEmpty() -> {
        text.append(inList ? " " : "\n" + childIndent);
        table(fields, childIndent);
      }
      case List<?> items when !items.isEmpty() -> {
        text.append('\n');
        items(items, childIndent);
      }
      case null -> text.append(" null\n");
      case Map<?, ?> _ -> text.append(" {}\n");
      case List<?> _ -> text.append(" []\n");
      case String string -> text.append(' ').append(scalar(string, childIndent)).append('\n');
      case Double number -> text.append(' ').append(JavaScriptNumbers.format(number)).append('\n');
      default -> text.append(' ').append(value).append('\n');
    }
  }

  /**
   * @param indent indentation of the lines of a multi-line text; null if it must be one line
   */
  private static String scalar(String string, String indent) {
    if (PLAIN.matcher(string).matches()
        && YamlScalars.value(string, ANY_POSITION) instanceof DocumentValue.Text) {
      return string;
    }
    if (indent != null && string.indexOf('\n') >= 0 && canBeBlock(string)) {
      return "|-\n" + indent + string.replace("\n", "\n" + indent);
    }
    boolean isOneLine = string.codePoints().allMatch(c -> isHarmless(c) && c != '\n');
    return isOneLine ? "'" + string.replace("'", "''") + "'" : escaped(string);
  }

  /**
   * Returns whether a text can be written as a block without changing it. A block loses blanks at
   * its ends and lines that contain only blanks.
   */
  private static boolean canBeBlock(String string) {
    return string.equals(string.strip())
        && string.codePoints().allMatch(YamlText::isHarmless)
        && string.lines().allMatch(line -> line.isEmpty() || !line.isBlank());
  }

  private static boolean isHarmless(int character) {
    return StreamReader.isPrintable(character)
        && character != '\r'
        && character != 0x85
        && character != 0x2028
        && character != 0x2029
        && character != 0xFEFF;
  }

  /** Returns the text in double quotes, in a form that JSON and YAML both accept. */
  static String escaped(String string) {
    StringBuilder result = new StringBuilder("\"");
    for (int character : string.codePoints().toArray()) {
      switch (character) {
        case '\n' -> result.append("\\n");
        case '\t' -> result.append("\\t");
        case '"' -> result.append("\\\"");
        case '\\' -> result.append("\\\\");
        default -> {
          boolean isAscii = character >= ' ' && character < 0x7F;
          if (isAscii || Character.isSupplementaryCodePoint(character)) {
            result.appendCodePoint(character);
          } else { // also an unpaired surrogate, which JSON can represent
            result.append(String.format(Locale.ROOT, "\\u%04X", character));
          }
        }
      }
    }
    return result.append('"').toString();
  }
}
