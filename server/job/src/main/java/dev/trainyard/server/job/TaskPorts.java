package dev.trainyard.server.job;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The ports of a task by label, in the order of the job file. */
public record TaskPorts(Map<String, List<Integer>> byLabel) {
  public static final TaskPorts NONE = new TaskPorts(Map.of());

  /** Label of a port that every task has, as in OpenPAI. */
  public static final String SSH = "ssh";

  public static final String HTTP = "http";

  /** Label of the rendezvous port of a job's first task, if the job has more than one task. */
  public static final String MASTER = "master";

  public TaskPorts {
    Map<String, List<Integer>> copy = new LinkedHashMap<>();
    byLabel.forEach((label, ports) -> copy.put(label, List.copyOf(ports)));
    byLabel = Collections.unmodifiableMap(copy);
  }

  public List<Integer> all() {
    return byLabel.values().stream().flatMap(List::stream).toList();
  }

  /** Returns the ports of a label, separated by commas; empty if there are none. */
  public String list(String label) {
    return join(byLabel.getOrDefault(label, List.of()));
  }

  /** Returns the first port of a label; empty if there are none. */
  public String first(String label) {
    List<Integer> ports = byLabel.getOrDefault(label, List.of());
    return ports.isEmpty() ? "" : String.valueOf(ports.getFirst());
  }

  private static String join(List<Integer> ports) {
    return ports.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /** Returns the stored form; labels contain neither a colon nor a semicolon. */
  String text() {
    return byLabel.entrySet().stream()
        .map(entry -> entry.getKey() + ":" + join(entry.getValue()))
        .collect(Collectors.joining(";"));
  }

  static TaskPorts parse(String text) {
    if (text.isEmpty()) {
      return NONE;
    }
    Map<String, List<Integer>> byLabel = new LinkedHashMap<>();
    for (String part : text.split(";", -1)) {
      int colon = part.indexOf(':');
      byLabel.put(
          part.substring(0, colon),
          new ArrayList<>(
              Arrays.stream(part.substring(colon + 1).split(",", -1))
                  .map(Integer::valueOf)
                  .toList()));
    }
    return new TaskPorts(byLabel);
  }
}
