package dev.trainyard.server.metric;

import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.util.Map;

/** Routes for the metrics and the version. */
public final class MetricRoutes {
  private final Metrics metrics;
  private final String version;

  public MetricRoutes(Metrics metrics, String version) {
    this.metrics = metrics;
    this.version = version;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/metrics", Access.METRICS, this::metrics);
    routes.add(
        "GET",
        "/api/v3/version",
        Access.PUBLIC,
        request -> Map.of("version", version, "api", "v3"));
  }

  private Reply metrics(Request request) {
    return Reply.of(200, metrics.text())
        .with("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  }
}
