package dev.trainyard.server.plugin;

import java.util.ArrayList;
import java.util.List;

/** Quotes texts of a job file for shell scripts. */
final class ShellText {
  private ShellText() {}

  /** Quotes a text as one word in which nothing is expanded. */
  static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  /**
   * Quotes a text as one word in which variables are expanded, as OpenPAI does in paths: {@code
   * /userhome/$PAI_JOB_NAME}, {@code ~/code}.
   */
  static String expanded(String text) {
    String path = text.equals("~") || text.startsWith("~/") ? "$HOME" + text.substring(1) : text;
    return '"' + path.replace("\\", "\\\\").replace("\"", "\\\"").replace("`", "\\`") + '"';
  }

  /** Splits a text into words and removes quotes, as in {@code --depth 1 "--branch=my own"}. */
  static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean inWord = false;
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (quote != 0 && character == quote) {
        quote = 0;
      } else if (quote == 0 && (character == '\'' || character == '"')) {
        quote = character;
        inWord = true;
      } else if (quote == 0 && Character.isWhitespace(character)) {
        if (inWord) {
          words.add(word.toString());
        }
        word.setLength(0);
        inWord = false;
      } else {
        word.append(character);
        inWord = true;
      }
    }
    if (inWord) {
      words.add(word.toString());
    }
    return words;
  }
}
