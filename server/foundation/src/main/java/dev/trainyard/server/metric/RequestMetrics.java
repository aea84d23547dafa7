package dev.trainyard.server.metric;

import dev.trainyard.server.http.RequestObserver;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Number of requests by route and status, and their durations by route. Thread-safe. */
public final class RequestMetrics implements RequestObserver, Metrics.Source {
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

  private final Map<RouteStatus, LongAdder> requestCounts = new ConcurrentHashMap<>();
  private final Map<Route, Histogram> durations = new ConcurrentHashMap<>();

  private record Route(String method, String path) {
    Map<String, String> labels() {
      return Map.of("method", method, "route", path);
    }
  }

  private record RouteStatus(Route route, int status) {}

  @Override
  public void completed(String method, String path, int status, Duration duration) {
    // Clients can send arbitrary methods, which must not create new metrics.
    Route route = new Route(METHODS.contains(method) ? method : "OTHER", path);
    requestCounts.computeIfAbsent(new RouteStatus(route, status), _ -> new LongAdder()).increment();
    durations
        .computeIfAbsent(route, _ -> new Histogram(0.001, 0.005, 0.02, 0.1, 0.5, 2.5, 10))
        .observe(duration.toNanos() / 1e9);
  }

  @Override
  public void writeTo(MetricText text) {
    text.family("trainyard_http_requests_total", "counter", "Completed requests.");
    requestCounts.forEach(
        (routeStatus, count) -> {
          Route route = routeStatus.route();
          Map<String, String> labels =
              Map.of(
                  "method", route.method(),
                  "route", route.path(),
                  "status",
                      routeStatus.status() == 0 ? "gone" : Integer.toString(routeStatus.status()));
          text.sample("trainyard_http_requests_total", labels, count.sum());
        });
    text.family(
        "trainyard_http_request_seconds",
        "histogram",
        "Time from a request to the end of its response.");
    durations.forEach(
        (route, histogram) ->
            histogram.writeTo(text, "trainyard_http_request_seconds", route.labels()));
  }
}
