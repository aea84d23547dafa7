package dev.trainyard.scheduler;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.TaskResources;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A running total of the resources that a user or a virtual cluster uses, or that a job would use.
 */
final class UsageCounter {
  /**
   * Upper limit for the memory of a task in a sum. Sums over placed tasks cannot overflow, but sums
   * over requests could.
   */
  private static final long MOST_MEMORY = 1L << 48;

  long jobs;
  private long cpus;
  private long memory;
  private long devices;
  private final Map<String, Long> models = new HashMap<>();

  UsageCounter() {}

  UsageCounter(UsageCounter original) {
    add(original, 1);
  }

  void add(UsageCounter other, int sign) {
    jobs += sign * other.jobs;
    cpus += sign * other.cpus;
    memory += sign * other.memory;
    devices += sign * other.devices;
    other.models.forEach((model, count) -> addModel(model, sign * count));
  }

  /**
   * Adds equal tasks.
   *
   * @param deviceModels models of the devices of one task, as far as they are known
   */
  void add(TaskResources each, List<String> deviceModels, long tasks) {
    cpus += tasks * each.cpus();
    memory += tasks * Math.min(each.memory().bytes(), MOST_MEMORY);
    devices += tasks * each.devices();
    deviceModels.forEach(model -> addModel(model, tasks));
  }

  /** Adds equal tasks that have no devices yet; a requested type counts as the model. */
  void addWanted(TaskResources each, long tasks) {
    add(each, List.of(), tasks);
    String type = each.deviceType().replace(" ", "").toLowerCase(Locale.ROOT);
    if (!type.isEmpty() && each.devices() > 0) {
      addModel(type, tasks * each.devices());
    }
  }

  private void addModel(String model, long count) {
    models.merge(model, count, (a, b) -> a + b == 0 ? null : Long.valueOf(a + b));
  }

  /**
   * Returns the first resource whose quota would be exceeded if {@code more} were added; null if
   * there is none.
   */
  Shortage shortage(Quota quota, UsageCounter more) {
    Shortage found = shortage("jobs", "", quota.jobs(), jobs, more.jobs);
    found = or(found, shortage("devices", "", quota.devices(), devices, more.devices));
    for (var type : quota.deviceTypes().entrySet()) {
      long needed = more.ofType(type.getKey());
      found =
          or(
              found,
              shortage(
                  "devices",
                  type.getKey(),
                  OptionalLong.of(type.getValue()),
                  ofType(type.getKey()),
                  needed));
    }
    found = or(found, shortage("cpus", "", quota.cpus(), cpus, more.cpus));
    long megabytes = new DataSize(memory).megabytes();
    long moreMegabytes = new DataSize(more.memory).megabytes();
    return or(found, shortage("memory", "", quota.memory(), megabytes, moreMegabytes));
  }

  /** Returns whether adding {@code more} would exceed the quota of this device type. */
  boolean exceeds(Quota quota, String type, UsageCounter more) {
    return more.ofType(type) > 0
        && ofType(type) + more.ofType(type) > quota.deviceTypes().get(type);
  }

  private static Shortage or(Shortage first, Shortage second) {
    return first == null ? second : first;
  }

  /**
   * Returns null if nothing more of the resource is needed, even if more than the quota is already
   * in use.
   */
  private static Shortage shortage(
      String what, String type, OptionalLong most, long used, long needed) {
    return most.isPresent() && needed > 0 && used + needed > most.getAsLong()
        ? new Shortage(what, type, needed, used, most.getAsLong())
        : null;
  }

  private long ofType(String type) {
    return models.getOrDefault(type, 0L) + models.getOrDefault("", 0L);
  }

  ResourceUsage use() {
    return new ResourceUsage(jobs, cpus, new DataSize(memory).megabytes(), devices, models);
  }
}
