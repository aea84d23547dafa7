package dev.trainyard.server.event;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Events as represented in the API; the fields are documented in docs/api.md. */
final class EventView {
  private EventView() {}

  static Map<String, Object> of(Event event) {
    NewEvent details = event.details();
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", event.id());
    view.put("time", event.time().toEpochMilli());
    view.put("job", details.job().value());
    view.put("user", event.userName());
    view.put("name", event.jobName());
    view.put("type", details.type());
    view.put("warning", details.warning());
    view.put("attempt", details.attempt());
    view.put("role", details.role().orElse(null));
    view.put("index", details.index().isPresent() ? details.index().getAsInt() : null);
    view.put("message", details.message().english());
    view.put("code", details.message().code());
    view.put("params", details.message().params());
    return view;
  }

  static Map<String, Object> page(List<Event> events, boolean hasMore) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("events", events.stream().map(EventView::of).toList());
    if (hasMore) {
      view.put("next", events.getLast().id());
    }
    return view;
  }
}
