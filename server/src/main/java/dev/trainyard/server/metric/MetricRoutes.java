package dev.trainyard.server.metric;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.util.Map;

/** {@code /healthz}, {@code /metrics} and the version. */
public final class MetricRoutes {
  private final Metrics metrics;
  private final String version;

  public MetricRoutes(Metrics metrics, String version) {
    this.metrics = metrics;
    this.version = version;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/healthz", Access.PUBLIC, request -> Map.of("status", "ok"));
    routes.add("GET", "/metrics", Access.PUBLIC, this::metrics);
    routes.add(
        "GET",
        "/api/v3/version",
        Access.PUBLIC,
        request -> Map.of("version", version, "api", "v3"));
  }

  private Reply metrics(Request request) {
    if (!request.local()) {
      Caller caller =
          request
              .signedInCaller()
              .orElseThrow(
                  () ->
                      new AppException(
                          ErrorCode.SIGN_IN_REQUIRED, Message.of("error.sign-in-required")));
      if (!caller.admin()) {
        throw new AppException(ErrorCode.FORBIDDEN, Message.of("error.admin-only"));
      }
    }
    return Reply.of(200, metrics.text())
        .with("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  }
}
