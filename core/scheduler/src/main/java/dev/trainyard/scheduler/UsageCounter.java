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
   * Maximum memory that is added for one task, so that the sum of requested memory cannot overflow.
   */
  private static final long MAX_TASK_MEMORY = 1L << 48;

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
  void add(TaskResources resources, List<String> deviceModels, long tasks) {
    cpus += tasks * resources.cpus();
    memory += tasks * Math.min(resources.memory().bytes(), MAX_TASK_MEMORY);
    devices += tasks * resources.devices();
    deviceModels.forEach(model -> addModel(model, tasks));
  }

  /** Adds equal tasks that have no devices yet. The requested device type is used as the model. */
  void addRequested(TaskResources resources, long tasks) {
    add(resources, List.of(), tasks);
    String type = resources.deviceType().replace(" ", "").toLowerCase(Locale.ROOT);
    if (!type.isEmpty() && resources.devices() > 0) {
      addModel(type, tasks * resources.devices());
    }
  }

  private void addModel(String model, long count) {
    models.merge(model, count, (a, b) -> a + b == 0 ? null : Long.valueOf(a + b));
  }

  /**
   * Returns the first resource whose quota would be exceeded if {@code addedUsage} were added; null
   * if there is none.
   */
  Shortage findShortage(Quota quota, UsageCounter addedUsage) {
    Shortage firstShortage = findShortage("jobs", "", quota.jobs(), jobs, addedUsage.jobs);
    firstShortage =
        firstNonNull(
            firstShortage,
            findShortage("devices", "", quota.devices(), devices, addedUsage.devices));
    for (var type : quota.deviceTypes().entrySet()) {
      long neededAmount = addedUsage.deviceCount(type.getKey());
      firstShortage =
          firstNonNull(
              firstShortage,
              findShortage(
                  "devices",
                  type.getKey(),
                  OptionalLong.of(type.getValue()),
                  deviceCount(type.getKey()),
                  neededAmount));
    }
    firstShortage =
        firstNonNull(firstShortage, findShortage("cpus", "", quota.cpus(), cpus, addedUsage.cpus));
    long megabytes = new DataSize(memory).megabytes();
    long addedMegabytes = new DataSize(addedUsage.memory).megabytes();
    return firstNonNull(
        firstShortage, findShortage("memory", "", quota.memory(), megabytes, addedMegabytes));
  }

  /** Returns whether adding {@code addedUsage} would exceed the quota of this device type. */
  boolean exceeds(Quota quota, String type, UsageCounter addedUsage) {
    return addedUsage.deviceCount(type) > 0
        && deviceCount(type) + addedUsage.deviceCount(type) > quota.deviceTypes().get(type);
  }

  private static Shortage firstNonNull(Shortage first, Shortage second) {
    return first == null ? second : first;
  }

  /**
   * Returns null if no more of the resource is needed, even if the usage already exceeds the quota.
   */
  private static Shortage findShortage(
      String resource, String type, OptionalLong limit, long usedAmount, long neededAmount) {
    return limit.isPresent() && neededAmount > 0 && usedAmount + neededAmount > limit.getAsLong()
        ? new Shortage(resource, type, neededAmount, usedAmount, limit.getAsLong())
        : null;
  }

  private long deviceCount(String type) {
    return models.getOrDefault(type, 0L) + models.getOrDefault("", 0L);
  }

  ResourceUsage toResourceUsage() {
    return new ResourceUsage(jobs, cpus, new DataSize(memory).megabytes(), devices, models);
  }
}
