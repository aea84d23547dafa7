package dev.trainyard.server.plugin;

import java.util.ArrayList;
import java.util.List;

/** Texts of a job file as words of a shell script. */
final class ShellText {
  private ShellText() {}

  /** Exactly this text, whatever is in it. */
  static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  /**
   * One word in which variables are replaced, as OpenPAI does in paths: {@code
   * /userhome/$PAI_JOB_NAME}, {@code ~/code}.
   */
  static String expanded(String text) {
    String path = text.equals("~") || text.startsWith("~/") ? "$HOME" + text.substring(1) : text;
    return '"' + path.replace("\\", "\\\\").replace("\"", "\\\"").replace("`", "\\`") + '"';
  }

  /** The words of a text, as in {@code --depth 1 "--branch=my own"}: split, quotes taken away. */
  static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean begun = false;
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (quote != 0 && character == quote) {
        quote = 0;
      } else if (quote == 0 && (character == '\'' || character == '"')) {
        quote = character;
        begun = true;
      } else if (quote == 0 && Character.isWhitespace(character)) {
        if (begun) {
          words.add(word.toString());
        }
        word.setLength(0);
        begun = false;
      } else {
        word.append(character);
        begun = true;
      }
    }
    if (begun) {
      words.add(word.toString());
    }
    return words;
  }
}
