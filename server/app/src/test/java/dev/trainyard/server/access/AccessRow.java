package dev.trainyard.server.access;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * One row of who-may-what.txt, with the lines that follow and belong to this row.
 *
 * @param outcomes expected status for each caller
 * @param query query string to append to the path
 * @param before request that the owner of the objects sends first; empty for none
 */
record AccessRow(
    String method,
    String path,
    Map<AccessCaller, String> outcomes,
    String query,
    String body,
    String before) {

  private static final String FILE = "who-may-what.txt";

  String route() {
    return method + " " + path;
  }

  /** Returns the line in the format of the file. */
  String line(Map<AccessCaller, String> statuses) {
    return "%-7s %-58s %s".formatted(method, path, String.join(" ", statuses.values()));
  }

  boolean changesSomething() {
    return !method.equals("GET") && !method.equals("*") && !method.equals("OPTIONS");
  }

  static List<AccessRow> all() {
    try (InputStream in = AccessRow.class.getResourceAsStream(FILE)) {
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<AccessRow> parse(String text) {
    List<AccessRow> rows = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (line.startsWith(" ")) {
        rows.add(rows.removeLast().with(line.strip()));
        continue;
      }
      String[] words = line.split(" +", -1);
      Map<AccessCaller, String> outcomes = new EnumMap<>(AccessCaller.class);
      int column = 2;
      for (AccessCaller caller : AccessCaller.values()) {
        outcomes.put(caller, words[column++]);
      }
      if (words.length != column) {
        throw new IllegalArgumentException("not one status for each caller: " + line);
      }
      rows.add(new AccessRow(words[0], words[1], outcomes, "", "", ""));
    }
    return rows;
  }

  private AccessRow with(String property) {
    int space = property.indexOf(' ');
    String value = property.substring(space + 1).strip();
    return switch (property.substring(0, space)) {
      case "query" -> new AccessRow(method, path, outcomes, "?" + value, body, before);
      case "body" -> new AccessRow(method, path, outcomes, query, value, before);
      case "before" -> new AccessRow(method, path, outcomes, query, body, value);
      default -> throw new IllegalArgumentException(property);
    };
  }
}
