package dev.trainyard.server.openpai;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Compares responses with the record of OpenPAI's response fields in {@code shapes.txt}. */
final class RecordedShapes {
  private final Map<String, List<Line>> shapes = new LinkedHashMap<>();

  private record Line(List<String> path, boolean required, String type, List<String> values) {
    static Line parse(String text) {
      String[] words = text.split(" ", -1);
      boolean required = words[0].endsWith("!");
      String path = required ? words[0].substring(0, words[0].length() - 1) : words[0];
      List<String> steps = new ArrayList<>();
      for (String step : path.replace("[]", ".[]").split("\\.", -1)) {
        if (!step.isEmpty()) {
          steps.add(step);
        }
      }
      return new Line(steps, required, words[1], List.of(words).subList(2, words.length));
    }
  }

  static RecordedShapes load() throws IOException {
    RecordedShapes shapes = new RecordedShapes();
    try (InputStream file = RecordedShapes.class.getResourceAsStream("shapes.txt")) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      List<Line> lines = new ArrayList<>();
      for (String line : text.lines().filter(one -> !one.isBlank()).toList()) {
        if (line.startsWith("== ")) {
          lines = new ArrayList<>();
          shapes.shapes.put(line.substring(3), lines);
        } else if (!line.startsWith("#")) {
          lines.add(Line.parse(line));
        }
      }
    }
    return shapes;
  }

  /** Returns the differences of a response from its shape. */
  List<String> differences(String shape, JsonNode response) {
    List<String> differences = new ArrayList<>();
    for (Line line : shapes.get(shape)) {
      check(line, 0, response, shape, differences);
    }
    return differences;
  }

  private static void check(
      Line line, int depth, JsonNode value, String path, Collection<String> differences) {
    if (depth == line.path().size()) {
      if (!matches(line, value)) {
        differences.add(path + " is not " + line.type() + line.values() + ": " + value);
      }
      return;
    }
    String step = line.path().get(depth);
    if (step.equals("[]") || step.equals("*")) {
      int i = 0;
      for (JsonNode item : value) {
        check(line, depth + 1, item, path + "/" + i++, differences);
      }
    } else if (value.has(step)) {
      check(line, depth + 1, value.get(step), path + "/" + step, differences);
    } else if (line.required() && depth == line.path().size() - 1 && value.isObject()) {
      differences.add(path + "/" + step + " is missing");
    }
  }

  private static boolean matches(Line line, JsonNode value) {
    if (value.isNull()) {
      return line.type().endsWith("?");
    }
    return switch (line.type().replace("?", "")) {
      case "string" ->
          value.isTextual()
              && (line.values().isEmpty() || line.values().contains(value.textValue()));
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "boolean" -> value.isBoolean();
      case "object" -> value.isObject();
      case "list" -> value.isArray();
      default -> throw new IllegalArgumentException(line.type());
    };
  }
}
