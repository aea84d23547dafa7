package dev.trainyard.jobfile;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What names in templates stand for: {@code $parameters.epochs}, {@code $data.uri[0]}.
 *
 * @param roots by their first part, as in {@code $parameters}
 */
record TemplateValues(Map<String, Map<String, Object>> roots) {
  private static final Pattern INDEX = Pattern.compile("\\[(\\d+)]");

  /** The value as a text; empty where there is none, or one that is no text, as a table. */
  Optional<String> find(String name) {
    String[] parts = INDEX.matcher(name).replaceAll(".$1").split("\\.", -1);
    Object value = parts.length < 2 ? null : roots.get(parts[0]);
    for (int i = 1; i < parts.length && value != null; i++) {
      value = within(value, parts[i]);
    }
    return text(value);
  }

  private static Object within(Object value, String part) {
    if (value instanceof Map<?, ?> map) {
      return map.get(part);
    }
    if (value instanceof List<?> list && part.matches("[0-9]{1,7}")) {
      int index = Integer.parseInt(part);
      return index < list.size() ? list.get(index) : null;
    }
    return null;
  }

  /** As JavaScript writes it. */
  private static Optional<String> text(Object value) {
    if (value instanceof List<?> list) {
      List<String> texts = new ArrayList<>();
      list.forEach(item -> texts.add(text(item).orElse("")));
      return Optional.of(String.join(",", texts));
    }
    if (value == null || value instanceof Map<?, ?>) {
      return Optional.empty();
    }
    return Optional.of(
        value instanceof Double number ? ScriptNumbers.text(number) : String.valueOf(value));
  }
}
