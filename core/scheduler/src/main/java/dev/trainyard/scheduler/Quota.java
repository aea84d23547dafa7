package dev.trainyard.scheduler;

import java.util.Collections;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Limits on the resources that are in use at the same time. An absent value means no limit.
 *
 * @param jobs number of jobs with at least one placed task
 * @param memory in megabytes
 * @param devices devices of all types together
 * @param deviceTypes devices of each of these types; a device of unknown model counts for all types
 *     because it can be assigned for any of them
 */
public record Quota(
    OptionalLong jobs,
    OptionalLong cpus,
    OptionalLong memory,
    OptionalLong devices,
    Map<String, Long> deviceTypes) {
  public static final Quota UNLIMITED =
      new Quota(
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          Map.of());

  public Quota {
    deviceTypes = Collections.unmodifiableMap(new TreeMap<>(deviceTypes));
  }

  public boolean isUnlimited() {
    return equals(UNLIMITED);
  }

  public Quota withJobs(long limit) {
    return new Quota(OptionalLong.of(limit), cpus, memory, devices, deviceTypes);
  }

  public Quota withCpus(long limit) {
    return new Quota(jobs, OptionalLong.of(limit), memory, devices, deviceTypes);
  }

  /**
   * @param limit in megabytes
   */
  public Quota withMemory(long limit) {
    return new Quota(jobs, cpus, OptionalLong.of(limit), devices, deviceTypes);
  }

  public Quota withDevices(long limit) {
    return new Quota(jobs, cpus, memory, OptionalLong.of(limit), deviceTypes);
  }

  public Quota withDevices(String type, long limit) {
    Map<String, Long> newTypes = new TreeMap<>(deviceTypes);
    newTypes.put(type, limit);
    return new Quota(jobs, cpus, memory, devices, newTypes);
  }
}
