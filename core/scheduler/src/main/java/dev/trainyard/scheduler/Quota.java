package dev.trainyard.scheduler;

import java.util.Collections;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * How much somebody may have in use at the same time. What is absent has no limit.
 *
 * @param jobs that have at least one task on a machine
 * @param memory in megabytes
 * @param devices of all types together
 * @param deviceTypes of each of these types; a card of unknown model counts for all of them, as it
 *     may be given for all of them
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

  public Quota withJobs(long most) {
    return new Quota(OptionalLong.of(most), cpus, memory, devices, deviceTypes);
  }

  public Quota withCpus(long most) {
    return new Quota(jobs, OptionalLong.of(most), memory, devices, deviceTypes);
  }

  /**
   * @param most in megabytes
   */
  public Quota withMemory(long most) {
    return new Quota(jobs, cpus, OptionalLong.of(most), devices, deviceTypes);
  }

  public Quota withDevices(long most) {
    return new Quota(jobs, cpus, memory, OptionalLong.of(most), deviceTypes);
  }

  public Quota withDevices(String type, long most) {
    Map<String, Long> more = new TreeMap<>(deviceTypes);
    more.put(type, most);
    return new Quota(jobs, cpus, memory, devices, more);
  }
}
