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
 * The secrets of a job file: kept apart from everything that is stored or shown. Says nothing of
 * its values when it is printed.
 */
public final class Secrets {
  public static final Secrets NONE = new Secrets(Map.of());

  /** The first part of their names in templates. */
  static final String ROOT = "$secrets";

  /** Of all names and values together: room for keys and certificates, not for data. */
  static final int MOST = 128 * 1024;

  /** Longer than any that means something: else a text of nothing but openings would take long. */
  private static final int LONGEST_NAME = 4096;

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
    var _ =
        each(
            text,
            part -> {
              resolved.append(part);
              return true;
            });
    return resolved.toString();
  }

  /** Whether a text with its secrets replaced is no longer than this. */
  boolean fits(String text, int limit) {
    return room(text, limit) >= 0;
  }

  /** What such a text leaves of this many characters; less than nothing where it doesn't fit. */
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
   * Goes through the resolved text, piece by piece, as long as each is wanted.
   *
   * @return whether all were
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

  /** How many characters all names and values have together. */
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

  /** As YAML, for the task to read: what OpenPAI puts into its file {@code secrets.yaml}. */
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
