package dev.trainyard.server.metric;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Metrics of the process. The management beans of Java are not used because loading them takes
 * long.
 */
public final class ProcessMetrics implements Metrics.Source {
  private final Clock clock;
  private final Instant started;
  private final String version;

  public ProcessMetrics(Clock clock, String version) {
    this.clock = clock;
    this.started = clock.instant();
    this.version = version;
  }

  @Override
  public void writeTo(MetricText text) {
    Runtime runtime = Runtime.getRuntime();
    text.family("trainyard_build_info", "gauge", "The running version.");
    text.sample("trainyard_build_info", Map.of("version", version), 1);
    text.family("trainyard_uptime_seconds", "gauge", "Seconds since the server started.");
    text.sample(
        "trainyard_uptime_seconds", Duration.between(started, clock.instant()).toMillis() / 1e3);
    text.family("jvm_memory_used_bytes", "gauge", "Heap in use, including garbage.");
    text.sample("jvm_memory_used_bytes", runtime.totalMemory() - runtime.freeMemory());
    text.family("jvm_memory_committed_bytes", "gauge", "Heap size that the JVM has committed.");
    text.sample("jvm_memory_committed_bytes", runtime.totalMemory());
    text.family("jvm_memory_max_bytes", "gauge", "Maximum heap size.");
    text.sample("jvm_memory_max_bytes", runtime.maxMemory());
  }
}
