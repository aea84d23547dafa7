package dev.trainyard.server.metric;

import java.util.Map;
import java.util.TreeMap;

/** Writes metrics in the text format of Prometheus. */
public final class MetricText {
  private final StringBuilder text = new StringBuilder();

  /** Starts a family of samples. Must be called once for each family, before its samples. */
  public MetricText family(String name, String type, String help) {
    text.append("# HELP ").append(name).append(' ').append(help.replace("\n", " ")).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    return this;
  }

  public MetricText sample(String name, double value) {
    return sample(name, Map.of(), value);
  }

  public MetricText sample(String name, long value) {
    return sample(name, Map.of(), value);
  }

  public MetricText sample(String name, Map<String, String> labels, long value) {
    return write(name, labels, Long.toString(value));
  }

  public MetricText sample(String name, Map<String, String> labels, double value) {
    return write(name, labels, Double.toString(value));
  }

  private MetricText write(String name, Map<String, String> labels, String value) {
    text.append(name);
    if (!labels.isEmpty()) {
      String separator = "{";
      for (Map.Entry<String, String> label : new TreeMap<>(labels).entrySet()) {
        text.append(separator).append(label.getKey()).append("=\"");
        text.append(escape(label.getValue())).append('"');
        separator = ",";
      }
      text.append('}');
    }
    text.append(' ').append(value).append('\n');
    return this;
  }

  private static String escape(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
