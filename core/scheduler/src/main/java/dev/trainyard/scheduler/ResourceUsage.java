package dev.trainyard.scheduler;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Resources that a user or a virtual cluster uses.
 *
 * @param memory in megabytes
 * @param models number of devices of each model; the sum is {@code devices}
 */
public record ResourceUsage(
    long jobs, long cpus, long memory, long devices, Map<String, Long> models) {
  public static final ResourceUsage NOTHING = new ResourceUsage(0, 0, 0, 0, Map.of());

  public ResourceUsage {
    models = Collections.unmodifiableMap(new TreeMap<>(models));
  }

  /**
   * Returns the number of devices that count for a quota of this type; a device of unknown model
   * counts for every type.
   */
  public long devices(String type) {
    return models.getOrDefault(type, 0L) + models.getOrDefault("", 0L);
  }
}
