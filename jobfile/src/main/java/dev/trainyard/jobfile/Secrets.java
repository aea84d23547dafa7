package dev.trainyard.jobfile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The secrets of a job file: kept apart from everything that is stored or shown. Says nothing of
 * its values when it is printed.
 */
public final class Secrets {
  public static final Secrets NONE = new Secrets(Map.of());

  /** The first part of their names in templates. */
  static final String ROOT = "$secrets";

  private final Map<String, Object> values;
  private final TemplateValues named;

  /**
   * @param values texts, numbers, truths, and lists and maps of them
   */
  public Secrets(Map<String, Object> values) {
    this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    named = new TemplateValues(Map.of(ROOT, this.values));
  }

  /** To be encrypted before it goes anywhere. */
  public Map<String, Object> values() {
    return values;
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  /**
   * A text, such as a command or a registry's password, with its {@code <% $secrets.name %>}
   * replaced. To be done when a task starts, and the result to be given to that task only. Unlike
   * in OpenPAI, a value arrives as it is, without HTML's escapes, and a name that is no secret
   * stays.
   */
  public String resolve(String text) {
    if (isEmpty()) {
      return text;
    }
    StringBuilder resolved = new StringBuilder();
    int at = 0;
    int open = text.indexOf(Template.OPEN);
    while (open >= 0) {
      int start = open + Template.OPEN.length();
      int close = text.indexOf(Template.CLOSE, start);
      if (close < 0) {
        break;
      }
      Optional<String> value = find(text.substring(start, close).strip());
      if (value.isPresent()) {
        resolved.append(text, at, open).append(value.get());
        at = close + Template.CLOSE.length();
      }
      open = text.indexOf(Template.OPEN, value.isPresent() ? at : start);
    }
    return resolved.append(text, at, text.length()).toString();
  }

  Optional<String> find(String name) {
    return named.find(name);
  }

  @Override
  public String toString() {
    return "******";
  }
}
