package dev.trainyard.server.metric;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Registry of metric sources. Thread-safe. */
public final class Metrics {
  /** Writes the current values of some metrics; called once per scrape, on a virtual thread. */
  @FunctionalInterface
  public interface Source {
    void writeTo(MetricText text);
  }

  private final List<Source> sources = new CopyOnWriteArrayList<>();

  public void add(Source source) {
    sources.add(source);
  }

  String text() {
    MetricText text = new MetricText();
    sources.forEach(source -> source.writeTo(text));
    return text.toString();
  }
}
