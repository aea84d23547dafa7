package dev.trainyard.jobfile;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The values of names in templates, such as {@code $parameters.epochs} or {@code $data.uri[0]}.
 *
 * @param roots by first component, for example {@code $parameters}
 * @param texts shared by all templates that quote the same values
 */
record TemplateValues(Map<String, Map<String, Object>> roots, ScriptTexts texts) {
  private static final Pattern INDEX = Pattern.compile("\\[(\\d+)]");

  TemplateValues(Map<String, Map<String, Object>> roots) {
    this(roots, new ScriptTexts());
  }

  /**
   * Returns the value as a text; empty if there is none, or one without a text form, such as a
   * table.
   */
  Optional<String> find(String name) {
    Object value = value(name);
    return value == null || value instanceof Map<?, ?>
        ? Optional.empty()
        : Optional.of(texts.text(value));
  }

  private Object value(String name) {
    String[] parts = INDEX.matcher(name).replaceAll(".$1").split("\\.", -1);
    Object value = parts.length < 2 ? null : roots.get(parts[0]);
    for (int i = 1; i < parts.length && value != null; i++) {
      value = within(value, parts[i]);
    }
    return value;
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
}
