package dev.trainyard.server.template;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A job file to start from.
 *
 * @param id of one that comes with the server a word
 * @param changed empty for one that comes with the server
 */
record Template(
    String id, String name, String description, String text, Optional<Instant> changed) {
  Map<String, Object> view() {
    Map<String, Object> view = outline();
    view.put("text", text);
    return view;
  }

  /** For lists. */
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
