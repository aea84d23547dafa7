package dev.trainyard.server.metric;

import dev.trainyard.server.limit.RequestLimits;
import java.util.Map;

/** Metrics of rejected requests. */
public final class LimitMetrics implements Metrics.Source {
  private final RequestLimits limits;

  public LimitMetrics(RequestLimits limits) {
    this.limits = limits;
  }

  @Override
  public void writeTo(MetricText text) {
    text.family("trainyard_rate_limited_total", "counter", "Requests rejected by a limit.");
    limits
        .rejections()
        .forEach(
            (limit, count) ->
                text.sample("trainyard_rate_limited_total", Map.of("limit", limit), count));
  }
}
