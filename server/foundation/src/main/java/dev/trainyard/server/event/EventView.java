package dev.trainyard.server.event;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Events as represented in the API; the fields are documented in docs/api.md. */
final class EventView {
  private EventView() {}

  static Map<String, Object> of(Event event) {
    NewEvent what = event.what();
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", event.id());
    view.put("time", event.at().toEpochMilli());
    view.put("job", what.job().value());
    view.put("user", event.userName());
    view.put("name", event.jobName());
    view.put("type", what.type());
    view.put("warning", what.warning());
    view.put("attempt", what.attempt());
    view.put("role", what.role().orElse(null));
    view.put("index", what.index().isPresent() ? what.index().getAsInt() : null);
    view.put("message", what.message().english());
    view.put("code", what.message().code());
    view.put("params", what.message().params());
    return view;
  }

  static Map<String, Object> page(List<Event> events, boolean more) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("events", events.stream().map(EventView::of).toList());
    if (more) {
      view.put("next", events.getLast().id());
    }
    return view;
  }
}
