package dev.trainyard.server.job;

import dev.trainyard.model.Isolation;
import java.util.LinkedHashMap;
import java.util.Map;

/** What keeps a task apart, as the API writes it. */
public final class IsolationView {
  private IsolationView() {}

  public static Map<String, Object> of(Isolation isolation) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("files", isolation.files());
    view.put("processes", isolation.processes());
    view.put("network", isolation.network());
    view.put("limits", isolation.limits());
    view.put("systemCalls", isolation.systemCalls());
    return view;
  }
}
