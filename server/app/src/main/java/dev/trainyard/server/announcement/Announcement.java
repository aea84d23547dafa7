package dev.trainyard.server.announcement;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An announcement of the administrators to all users.
 *
 * @param text plain text, never interpreted as markup
 * @param user name of the author
 */
public record Announcement(
    String id,
    String title,
    String text,
    String level,
    Instant from,
    Optional<Instant> until,
    String user,
    Instant created) {
  static final List<String> LEVELS = List.of("info", "warning", "critical");

  boolean isCurrent(Instant now) {
    return !from.isAfter(now) && until.map(now::isBefore).orElse(true);
  }

  /** Returns the API representation. */
  public Map<String, Object> view() {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", id);
    view.put("title", title);
    view.put("text", text);
    view.put("level", level);
    view.put("from", from);
    view.put("until", until.orElse(null));
    view.put("user", user);
    view.put("created", created);
    return view;
  }

  Map<String, Object> auditView() {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("title", title);
    view.put("text", text);
    view.put("level", level);
    return view;
  }
}
