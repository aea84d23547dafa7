package dev.trainyard.jobfile;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The values of names in templates, such as {@code $parameters.epochs} or {@code $data.uri[0]}.
 *
 * @param roots values by the first component of their names, for example {@code $parameters}
 * @param formatter formatter, shared by all templates that use the same values
 */
record TemplateValues(Map<String, Map<String, Object>> roots, JavaScriptFormat formatter) {
  private static final Pattern INDEX = Pattern.compile("\\[(\\d+)]");

  TemplateValues(Map<String, Map<String, Object>> roots) {
    this(roots, new JavaScriptFormat());
  }

  /**
   * Returns the value as a text; empty if there is no value or if it has no text form, such as an
   * object.
   */
  Optional<String> find(String name) {
    Object value = lookup(name);
    return value == null || value instanceof Map<?, ?>
        ? Optional.empty()
        : Optional.of(formatter.format(value));
  }

  private Object lookup(String name) {
    String[] components = INDEX.matcher(name).replaceAll(".$1").split("\\.", -1);
    Object value = components.length < 2 ? null : roots.get(components[0]);
    for (int i = 1; i < components.length && value != null; i++) {
      value = child(value, components[i]);
    }
    return value;
  }

  private static Object child(Object value, String component) {
    if (value instanceof Map<?, ?> map) {
      return map.get(component);
    }
    if (value instanceof List<?> list && component.matches("[0-9]{1,7}")) {
      int index = Integer.parseInt(component);
      return index < list.size() ? list.get(index) : null;
    }
    return null;
  }
}
