package dev.trainyard.server.template;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A job file from which users can create new jobs.
 *
 * @param id a short name for a built-in template, otherwise a generated ID
 * @param changed time of the last change; empty for a built-in template
 */
record Template(
    String id, String name, String description, String text, Optional<Instant> changed) {
  Map<String, Object> view() {
    Map<String, Object> view = outline();
    view.put("text", text);
    return view;
  }

  /** Returns the representation for lists. */
  Map<String, Object> outline() {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", id);
    view.put("name", name);
    view.put("description", description);
    view.put("builtIn", changed.isEmpty());
    view.put("changed", changed.orElse(null));
    return view;
  }
}
