package dev.trainyard.scheduler;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What somebody has in use.
 *
 * @param memory in megabytes
 * @param models how many cards of each model, of all that they are
 */
public record ResourceUsage(
    long jobs, long cpus, long memory, long devices, Map<String, Long> models) {
  public static final ResourceUsage NOTHING = new ResourceUsage(0, 0, 0, 0, Map.of());

  public ResourceUsage {
    models = Collections.unmodifiableMap(new TreeMap<>(models));
  }

  /** How many cards count for a quota of this type; one of unknown model counts for every type. */
  public long devices(String type) {
    return models.getOrDefault(type, 0L) + models.getOrDefault("", 0L);
  }
}
