package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.Operation.v2;

import dev.trainyard.model.Message;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The server's warnings, in the format of Alertmanager alerts. */
final class AlertOperations implements OpenPaiRoutes.Source {
  private final Supplier<List<Message>> warnings;
  private final InstantSource clock;

  AlertOperations(Supplier<List<Message>> warnings, InstantSource clock) {
    this.warnings = warnings;
    this.clock = clock;
  }

  @Override
  public List<Operation> operations() {
    return List.of(v2("GET", "/alerts", Guard.TOKEN, this::list));
  }

  /**
   * Returns the warnings to administrators and an empty list to other users, because the warnings
   * are about the node and not about jobs.
   */
  private Object list(PaiRequest request) {
    return request.caller().admin() ? warnings.get().stream().map(this::alert).toList() : List.of();
  }

  private Map<String, Object> alert(Message warning) {
    String time = clock.instant().toString();
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("labels", Map.of("alertname", warning.code(), "severity", "warn", "type", "pai_node"));
    view.put("annotations", Map.of("summary", warning.english()));
    view.put("startsAt", time);
    view.put("endsAt", time);
    view.put("generatorURL", "");
    view.put(
        "status", Map.of("state", "active", "silencedBy", List.of(), "inhibitedBy", List.of()));
    view.put("receivers", List.of());
    view.put("fingerprint", Integer.toHexString(warning.hashCode()));
    return view;
  }
}
