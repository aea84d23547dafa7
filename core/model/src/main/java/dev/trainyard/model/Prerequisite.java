package dev.trainyard.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Something a job file gives a name, for roles to refer to and templates to quote.
 *
 * @param type {@code dockerimage}, {@code script}, {@code data} or {@code output}
 * @param fields everything the file says of it, as texts, numbers, lists and maps; what refers to a
 *     secret is not resolved
 */
public record Prerequisite(String type, String name, Map<String, Object> fields) {
  public static final String IMAGE = "dockerimage";

  public Prerequisite {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  /** Where it is; empty if the file does not say, or names several places. */
  public String uri() {
    return fields.get("uri") instanceof String uri ? uri : "";
  }
}
