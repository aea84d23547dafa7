package dev.trainyard.server.backup;

import dev.trainyard.server.config.Settings;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * The settings file of a backup. A restore keeps its settings, except those that select the
 * database if another database is used.
 */
record RestoredSettings(String text, Optional<Properties> values) {
  private static final List<String> DATABASE =
      List.of(Settings.DB.name(), Settings.DB_PASSWORD_FILE.name());
  private static final Pattern DATABASE_LINE =
      Pattern.compile("(?m)^[ \\t\\f]*(?:db|db-password-file)(?:[ \\t\\f=:].*)?(?:\\R|$)");

  static RestoredSettings parse(byte[] content) {
    String text = new String(content, StandardCharsets.UTF_8);
    Properties values = new Properties();
    try {
      values.load(new StringReader(text));
      return new RestoredSettings(text, Optional.of(values));
    } catch (IOException | IllegalArgumentException e) {
      return new RestoredSettings(text, Optional.empty());
    }
  }

  /** Returns the settings that select the database; empty if there are none. */
  Map<String, String> databaseSettings() {
    Map<String, String> found = new LinkedHashMap<>();
    for (String name : DATABASE) {
      String value = values.map(it -> it.getProperty(name, "")).orElse("").strip();
      if (!value.isEmpty()) {
        found.put(name, value);
      }
    }
    return found;
  }

  /**
   * Returns the content of the file with the given database and otherwise unchanged settings; empty
   * if the file is invalid or cannot be changed correctly.
   */
  Optional<byte[]> withDatabase(String url, String passwordFile) {
    if (values.isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> wanted = new LinkedHashMap<>();
    wanted.put(DATABASE.getFirst(), url.strip());
    wanted.put(DATABASE.getLast(), passwordFile.strip());
    wanted.values().removeIf(String::isEmpty);
    if (databaseSettings().equals(wanted)) {
      return Optional.of(text.getBytes(StandardCharsets.UTF_8));
    }
    StringBuilder changed = new StringBuilder(DATABASE_LINE.matcher(text).replaceAll(""));
    if (!changed.isEmpty() && changed.charAt(changed.length() - 1) != '\n') {
      changed.append('\n');
    }
    wanted.forEach(
        (name, value) ->
            changed.append(name).append(" = ").append(value.replace("\\", "\\\\")).append('\n'));
    Properties expected = new Properties();
    expected.putAll(values.get());
    DATABASE.forEach(expected::remove);
    expected.putAll(wanted);
    byte[] bytes = changed.toString().getBytes(StandardCharsets.UTF_8);
    // The result is verified, because a value that continues on the next line is not replaced
    // correctly.
    return parse(bytes).values().filter(expected::equals).map(_ -> bytes);
  }
}
