package dev.trainyard.jobfile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/**
 * The secrets of a job file, kept separate from everything that is stored or shown. The string
 * representation does not contain the values.
 */
public final class Secrets {
  public static final Secrets NONE = new Secrets(Map.of());

  /** First component of their names in templates. */
  static final String ROOT = "$secrets";

  /**
   * Maximum length of all names and values together: enough for keys and certificates, not for
   * data.
   */
  static final int MOST = 128 * 1024;

  /** Longer than any valid name; bounds the time for a text that consists of opening tags only. */
  private static final int LONGEST_NAME = 4096;

  private final Map<String, Object> values;
  private final TemplateValues named;

  /**
   * @param values texts, numbers, booleans, and lists and maps of them
   */
  public Secrets(Map<String, Object> values) {
    this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    named = new TemplateValues(Map.of(ROOT, this.values));
  }

  /** Returns the values; they must be encrypted before they are stored or sent. */
  public Map<String, Object> values() {
    return values;
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  /**
   * Replaces {@code <% $secrets.name %>} in a text, such as a command or a registry password. Must
   * be called when a task starts, and the result must be given to that task only. Unlike in
   * OpenPAI, a value is inserted unchanged, without HTML escapes, and a name that is not a secret
   * is kept.
   */
  public String resolve(String text) {
    if (isEmpty()) {
      return text;
    }
    StringBuilder resolved = new StringBuilder();
    var _ =
        each(
            text,
            part -> {
              resolved.append(part);
              return true;
            });
    return resolved.toString();
  }

  /** Returns whether a text with its secrets replaced is not longer than the limit. */
  boolean fits(String text, int limit) {
    return room(text, limit) >= 0;
  }

  /**
   * Returns the number of characters of the limit that remain after the resolved text; negative if
   * it does not fit.
   */
  int room(String text, int limit) {
    int[] left = {limit};
    var _ =
        each(
            text,
            part -> {
              left[0] -= part.length();
              return left[0] >= 0;
            });
    return left[0];
  }

  /**
   * Iterates over the pieces of the resolved text while the predicate returns true.
   *
   * @return whether the predicate was true for all pieces
   */
  private boolean each(String text, Predicate<String> piece) {
    int at = 0;
    int close = 0;
    int open = text.indexOf(Template.OPEN);
    while (open >= 0) {
      int start = open + Template.OPEN.length();
      close = close >= start ? close : text.indexOf(Template.CLOSE, start);
      if (close < 0) {
        break;
      }
      Optional<String> value =
          close - start > LONGEST_NAME
              ? Optional.empty()
              : find(text.substring(start, close).strip());
      if (value.isPresent()) {
        if (!piece.test(text.substring(at, open)) || !piece.test(value.get())) {
          return false;
        }
        at = close + Template.CLOSE.length();
      }
      open = text.indexOf(Template.OPEN, value.isPresent() ? at : start);
    }
    return piece.test(text.substring(at));
  }

  /** Returns the total length of all names and values in characters. */
  long length() {
    return length(values);
  }

  private static long length(Object value) {
    return switch (value) {
      case null -> 0;
      case Map<?, ?> map ->
          map.entrySet().stream()
              .mapToLong(entry -> length(entry.getKey()) + length(entry.getValue()))
              .sum();
      case List<?> list -> list.stream().mapToLong(Secrets::length).sum();
      default -> value.toString().length();
    };
  }

  /** Returns the secrets as YAML for the task, like OpenPAI's file {@code secrets.yaml}. */
  public String document() {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setSplitLines(false);
    options.setAllowUnicode(true);
    return new Yaml(options).dump(values);
  }

  Optional<String> find(String name) {
    return named.find(name);
  }

  @Override
  public String toString() {
    return "******";
  }
}
