package dev.trainyard.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A named object of a job file that roles refer to and templates can use.
 *
 * @param type {@code dockerimage}, {@code script}, {@code data} or {@code output}
 * @param fields all fields in the file, as texts, numbers, lists and maps; references to secrets
 *     are not resolved
 */
public record Prerequisite(String type, String name, Map<String, Object> fields) {
  public static final String IMAGE = "dockerimage";
  public static final String OUTPUT = "output";

  public Prerequisite {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  /** Returns the URI; empty if the file contains none or several. */
  public String uri() {
    return fields.get("uri") instanceof String uri ? uri : "";
  }
}
