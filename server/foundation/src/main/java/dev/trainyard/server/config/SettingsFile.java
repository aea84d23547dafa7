package dev.trainyard.server.config;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * The entries of a settings file, which has the format of {@link Properties}.
 *
 * @param repeated the entries whose names also occur on earlier lines
 */
record SettingsFile(Properties entries, List<Repeated> repeated) {
  /**
   * A repeated name, with the numbers of the lines of its first and of a later entry, counted from
   * 1.
   */
  record Repeated(String name, int firstLine, int line) {}

  static SettingsFile empty() {
    return new SettingsFile(new Properties(), List.of());
  }

  /**
   * @throws IllegalArgumentException if a line contains an invalid escape sequence
   */
  static SettingsFile read(Path path) throws IOException {
    Properties entries = new Properties();
    List<Repeated> repeated = new ArrayList<>();
    Map<String, Integer> firstLines = new HashMap<>();
    List<String> lines = Files.readString(path).lines().toList();
    int next = 0;
    while (next < lines.size()) {
      int line = next + 1;
      StringBuilder text = new StringBuilder(lines.get(next++));
      while (isContinued(text) && next < lines.size()) {
        text.append('\n').append(lines.get(next++));
      }
      Properties entry = new Properties();
      entry.load(new StringReader(text.toString()));
      for (String name : entry.stringPropertyNames()) {
        Integer firstLine = firstLines.putIfAbsent(name, line);
        if (firstLine != null) {
          repeated.add(new Repeated(name, firstLine, line));
        }
      }
      entries.putAll(entry);
    }
    return new SettingsFile(entries, repeated);
  }

  /**
   * Returns whether the entry continues on the next line: the text is not a comment and ends with
   * an unescaped backslash.
   */
  private static boolean isContinued(CharSequence text) {
    String line = text.toString();
    int backslashes = 0;
    while (backslashes < line.length() && line.charAt(line.length() - 1 - backslashes) == '\\') {
      backslashes++;
    }
    String start = line.stripLeading();
    return backslashes % 2 == 1 && !start.startsWith("#") && !start.startsWith("!");
  }
}
