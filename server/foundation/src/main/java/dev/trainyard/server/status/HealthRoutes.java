package dev.trainyard.server.status;

import dev.trainyard.model.ServerProof;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * {@code /livez} returns 200 if the process responds. {@code /healthz} returns 503 if a required
 * component fails. Both use neither the database nor the sign-in. Therefore they are public and
 * return only the names of components; administrators find the reasons in the status.
 */
public final class HealthRoutes {
  private final Health health;
  private final String proofKey;

  /**
   * @param proofKey key with which this server proves its identity
   */
  public HealthRoutes(Health health, String proofKey) {
    this.health = health;
    this.proofKey = proofKey;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/livez", Access.PUBLIC, this::live);
    routes.add("GET", "/healthz", Access.PUBLIC, this::ready);
  }

  private Map<String, String> live(Request request) {
    Map<String, String> view = new LinkedHashMap<>();
    view.put("status", "ok");
    request
        .query("challenge")
        .filter(ServerProof::isWellFormed)
        .ifPresent(
            challenge -> {
              view.put("proof", ServerProof.of(proofKey, challenge));
              String address = request.localAddress();
              view.put("address", address);
              view.put("addressProof", ServerProof.of(proofKey, challenge, address));
            });
    return view;
  }

  private Reply ready(Request request) {
    Health.Report report = health.report();
    boolean fails = !report.failing().isEmpty();
    Map<String, String> view = new LinkedHashMap<>();
    view.put("status", fails ? "failing" : report.degraded().isEmpty() ? "ok" : "degraded");
    if (fails) {
      view.put("failing", String.join(", ", report.failing().keySet()));
    }
    if (!report.degraded().isEmpty()) {
      view.put("degraded", String.join(", ", report.degraded().keySet()));
    }
    return Reply.of(fails ? 503 : 200, view);
  }
}
