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

  /** First component of the names of secrets in templates. */
  static final String ROOT = "$secrets";

  /**
   * Maximum total length of all names and values. It is sufficient for keys and certificates, but
   * not for data.
   */
  static final int MAX_LENGTH = 128 * 1024;

  /** Maximum length of a name. It bounds the time for a text that contains many opening tags. */
  private static final int MAX_NAME_LENGTH = 4096;

  private final Map<String, Object> values;
  private final TemplateValues templateValues;

  /**
   * @param values strings, numbers, booleans, and lists and maps of these
   */
  public Secrets(Map<String, Object> values) {
    this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    templateValues = new TemplateValues(Map.of(ROOT, this.values));
  }

  /** Returns the values; they must be encrypted before they are stored or sent. */
  public Map<String, Object> values() {
    return values;
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  /**
   * Replaces {@code <% $secrets.name %>} in a text, such as a command or a registry password. Call
   * this method only when a task starts, and pass the result only to that task. Unlike in OpenPAI,
   * a value is inserted without HTML escapes, and a reference to an unknown secret stays in the
   * text.
   */
  public String resolve(String text) {
    if (isEmpty()) {
      return text;
    }
    StringBuilder resolved = new StringBuilder();
    var _ =
        forEachPiece(
            text,
            part -> {
              resolved.append(part);
              return true;
            });
    return resolved.toString();
  }

  /** Returns whether a text with its secrets replaced is not longer than the limit. */
  boolean fits(String text, int limit) {
    return remainingLength(text, limit) >= 0;
  }

  /**
   * Returns the limit minus the length of the resolved text; the result is negative if the text is
   * too long.
   */
  int remainingLength(String text, int limit) {
    int[] remaining = {limit};
    var _ =
        forEachPiece(
            text,
            part -> {
              remaining[0] -= part.length();
              return remaining[0] >= 0;
            });
    return remaining[0];
  }

  /**
   * Iterates over the pieces of the resolved text while the predicate returns true.
   *
   * @return whether the predicate was true for all pieces
   */
  private boolean forEachPiece(String text, Predicate<String> visitor) {
    int position = 0;
    int close = 0;
    int open = text.indexOf(Template.OPEN);
    while (open >= 0) {
      int start = open + Template.OPEN.length();
      close = close >= start ? close : text.indexOf(Template.CLOSE, start);
      if (close < 0) {
        break;
      }
      Optional<String> value =
          close - start > MAX_NAME_LENGTH
              ? Optional.empty()
              : find(text.substring(start, close).strip());
      if (value.isPresent()) {
        if (!visitor.test(text.substring(position, open)) || !visitor.test(value.get())) {
          return false;
        }
        position = close + Template.CLOSE.length();
      }
      open = text.indexOf(Template.OPEN, value.isPresent() ? position : start);
    }
    return visitor.test(text.substring(position));
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
    return templateValues.find(name);
  }

  @Override
  public String toString() {
    return "******";
  }
}
