package dev.trainyard.server.metric;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/** A histogram: counts values in buckets. Thread-safe. */
public final class Histogram {
  private final double[] bounds;
  private final LongAdder[] counts;
  private final DoubleAdder sum = new DoubleAdder();

  /**
   * @param bounds ascending upper bounds of the buckets; another bucket contains all larger values
   */
  public Histogram(double... bounds) {
    this.bounds = bounds.clone();
    this.counts = new LongAdder[bounds.length + 1];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  public void observe(double value) {
    int bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]) {
      bucket++;
    }
    counts[bucket].increment();
    sum.add(value);
  }

  public void writeTo(MetricText text, String name, Map<String, String> labels) {
    long cumulativeCount = 0;
    for (int i = 0; i < counts.length; i++) {
      cumulativeCount += counts[i].sum();
      Map<String, String> withBound = new HashMap<>(labels);
      withBound.put("le", i < bounds.length ? Double.toString(bounds[i]) : "+Inf");
      text.sample(name + "_bucket", withBound, cumulativeCount);
    }
    text.sample(name + "_sum", labels, sum.sum());
    text.sample(name + "_count", labels, cumulativeCount);
  }
}
