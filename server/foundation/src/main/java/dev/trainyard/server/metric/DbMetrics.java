package dev.trainyard.server.metric;

import dev.trainyard.server.db.WriteObserver;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Metrics of database writes. Thread-safe. */
public final class DbMetrics implements WriteObserver, Metrics.Source {
  private final Histogram writesPerCommit = new Histogram(1, 2, 5, 10, 50, 100, 400);
  private final Histogram commitSeconds = new Histogram(0.001, 0.003, 0.01, 0.03, 0.1, 0.5, 2);
  private final LongAdder retries = new LongAdder();

  @Override
  public void committed(int count, Duration duration) {
    writesPerCommit.observe(count);
    commitSeconds.observe(duration.toNanos() / 1e9);
  }

  @Override
  public void retried() {
    retries.increment();
  }

  @Override
  public void writeTo(MetricText text) {
    text.family("trainyard_db_commit_works", "histogram", "Writes committed by one transaction.");
    writesPerCommit.writeTo(text, "trainyard_db_commit_works", Map.of());
    text.family("trainyard_db_commit_seconds", "histogram", "Duration of a transaction.");
    commitSeconds.writeTo(text, "trainyard_db_commit_seconds", Map.of());
    text.family("trainyard_db_retries_total", "counter", "Writes retried after a conflict.");
    text.sample("trainyard_db_retries_total", retries.sum());
  }
}
