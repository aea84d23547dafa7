package dev.trainyard.jobfile;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.reader.StreamReader;

/** Writes maps, lists, texts, numbers and booleans as readable YAML. */
final class YamlText {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_/][A-Za-z0-9_./@+-]*");
  private static final Located.Place NOWHERE = new Located.Place(1, 1);

  private final StringBuilder text = new StringBuilder();

  private YamlText() {}

  static String of(Map<String, ?> fields) {
    YamlText yaml = new YamlText();
    yaml.table(fields, "");
    return yaml.text.toString();
  }

  private void table(Map<?, ?> fields, String indent) {
    String before = "";
    for (Map.Entry<?, ?> field : fields.entrySet()) {
      text.append(before).append(scalar(String.valueOf(field.getKey()), null)).append(':');
      before = indent;
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
    String deeper = indent + "  ";
    switch (value) {
      case Map<?, ?> fields when !fields.isEmpty() -> {
        text.append(inList ? " " : "\n" + deeper);
        table(fields, deeper);
      }
      case List<?> items when !items.isEmpty() -> {
        text.append('\n');
        items(items, deeper);
      }
      case null -> text.append(" null\n");
      case Map<?, ?> _ -> text.append(" {}\n");
      case List<?> _ -> text.append(" []\n");
      case String words -> text.append(' ').append(scalar(words, deeper)).append('\n');
      case Double number -> text.append(' ').append(ScriptNumbers.text(number)).append('\n');
      default -> text.append(' ').append(value).append('\n');
    }
  }

  /**
   * @param indent indentation of the lines of a multi-line text; null if it must be one line
   */
  private static String scalar(String words, String indent) {
    if (PLAIN.matcher(words).matches()
        && YamlScalars.value(words, NOWHERE) instanceof Located.Text) {
      return words;
    }
    if (indent != null && words.indexOf('\n') >= 0 && isBlock(words)) {
      return "|-\n" + indent + words.replace("\n", "\n" + indent);
    }
    boolean oneLine = words.codePoints().allMatch(c -> isHarmless(c) && c != '\n');
    return oneLine ? "'" + words.replace("'", "''") + "'" : escaped(words);
  }

  /**
   * Returns whether a text can be written as a block: blanks at its ends and lines of only blanks
   * would be lost.
   */
  private static boolean isBlock(String words) {
    return words.equals(words.strip())
        && words.codePoints().allMatch(YamlText::isHarmless)
        && words.lines().allMatch(line -> line.isEmpty() || !line.isBlank());
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
  static String escaped(String words) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int character : words.codePoints().toArray()) {
      switch (character) {
        case '\n' -> quoted.append("\\n");
        case '\t' -> quoted.append("\\t");
        case '"' -> quoted.append("\\\"");
        case '\\' -> quoted.append("\\\\");
        default -> {
          boolean plain = character >= ' ' && character < 0x7F;
          if (plain || Character.isSupplementaryCodePoint(character)) {
            quoted.appendCodePoint(character);
          } else { // also half a surrogate pair, which JSON can represent
            quoted.append(String.format(Locale.ROOT, "\\u%04X", character));
          }
        }
      }
    }
    return quoted.append('"').toString();
  }
}
