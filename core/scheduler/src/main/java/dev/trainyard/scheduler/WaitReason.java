package dev.trainyard.scheduler;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.Message;
import dev.trainyard.scheduler.QueuedJob.Demand;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Creates the message that explains why a job waits. The message code names all missing resources,
 * for example {@code wait.devices-memory}, always in the order devices, cpus, memory.
 */
final class WaitReason {
  private static final int MOST_NAMES = 3;

  private final StringBuilder code;
  private final Map<String, Object> params = new LinkedHashMap<>();
  private boolean nothingMissing = true;

  private WaitReason(String prefix) {
    code = new StringBuilder(prefix);
  }

  /** Returns the reason why a job waits that is not about to start. */
  static Message now(
      QueuedJob job, ClusterResources clusterResources, List<NodeFreeResources> free, int ahead) {
    if (clusterResources.isEmpty()) {
      return Message.of("wait.no-machine", "ahead", ahead);
    }
    List<String> cordoned = clusterResources.cordoned();
    if (cordoned.isEmpty()) {
      return shortage(job, clusterResources, free, ahead);
    }
    // Limits the number of names so that the message stays short.
    String names = String.join(", ", cordoned.subList(0, Math.min(MOST_NAMES, cordoned.size())));
    Message closed =
        Message.of(
                clusterResources.areAllCordoned() ? "wait.all-cordoned" : "wait.cordoned",
                "machines",
                cordoned.size())
            .with("names", cordoned.size() > MOST_NAMES ? names + ", …" : names);
    return clusterResources.areAllCordoned()
        ? closed.with("ahead", ahead)
        : closed.with("reason", shortage(job, clusterResources, free, ahead));
  }

  private static Message shortage(
      QueuedJob job, ClusterResources clusterResources, List<NodeFreeResources> free, int ahead) {
    List<NodeFreeResources> all = clusterResources.empty();
    WaitReason reason = new WaitReason("wait.");
    for (var wanted : devices(job, demand -> (long) demand.tasks() * demand.each().devices())) {
      String type = wanted.getKey();
      long needed = wanted.getValue().sum();
      long left = total(free, node -> node.devices(type));
      if (needed > left && reason.missing("devices")) {
        reason.put("devices", needed, "kind", DeviceLabel.of(type, clusterResources));
        reason.put("freeDevices", left, "totalDevices", total(all, node -> node.devices(type)));
      }
    }
    long cpus = total(job, demand -> demand.each().cpus());
    long freeCpus = total(free, NodeFreeResources::cpus);
    if (cpus > freeCpus && reason.missing("cpus")) {
      reason.put("cpus", cpus);
      reason.put("freeCpus", freeCpus, "totalCpus", total(all, NodeFreeResources::cpus));
    }
    long memory = total(job, demand -> demand.each().memory().bytes());
    long freeMemory = total(free, NodeFreeResources::memory);
    if (memory > freeMemory && reason.missing("memory")) {
      reason.put("memoryMB", megabytes(memory));
      reason.put("freeMemoryMB", megabytes(freeMemory));
      reason.put("totalMemoryMB", megabytes(total(all, NodeFreeResources::memory)));
    }
    if (reason.nothingMissing) {
      reason.code.append(
          GangPlacer.place(job, NodeFreeResources.copies(free)).isPresent() ? "behind" : "spread");
    }
    reason.put("ahead", ahead);
    return reason.message();
  }

  /**
   * Returns the reason why a job could not run even if every node were empty. Empty if it could
   * run, and also while no node is known, because then nothing can be said about the job.
   */
  static Optional<Message> forEver(QueuedJob job, ClusterResources clusterResources) {
    List<NodeFreeResources> all = clusterResources.empty();
    if (all.isEmpty()) {
      return Optional.empty();
    }
    WaitReason reason = new WaitReason("wait.never-");
    for (var wanted : devices(job, demand -> demand.each().devices())) {
      String type = wanted.getKey();
      long needed = wanted.getValue().max();
      long largest = most(all, node -> node.devicesForOneTask(type));
      if (needed > largest && reason.missing("devices")) {
        reason.put("devices", needed, "kind", DeviceLabel.of(type, clusterResources));
        reason.put("mostDevices", largest);
      }
    }
    long cpus = most(job, demand -> demand.each().cpus());
    long mostCpus = most(all, NodeFreeResources::cpus);
    if (cpus > mostCpus && reason.missing("cpus")) {
      reason.put("cpus", cpus, "mostCpus", mostCpus);
    }
    long memory = most(job, demand -> demand.each().memory().bytes());
    long mostMemory = most(all, NodeFreeResources::memory);
    if (memory > mostMemory && reason.missing("memory")) {
      reason.put("memoryMB", megabytes(memory), "mostMemoryMB", megabytes(mostMemory));
    }
    if (!reason.nothingMissing) {
      return Optional.of(reason.message());
    }
    return !job.gang() || GangPlacer.place(job, NodeFreeResources.copies(all)).isPresent()
        ? Optional.empty()
        : Optional.of(notTogether(job, clusterResources));
  }

  /** Reports that each task fits on some node, but not all of them at the same time. */
  private static Message notTogether(QueuedJob job, ClusterResources clusterResources) {
    List<NodeFreeResources> all = clusterResources.empty();
    WaitReason reason = new WaitReason("wait.never-together");
    reason.put("tasks", job.roles().stream().mapToInt(Demand::tasks).sum());
    reason.put("machines", all.size());
    reason.put("cpus", total(job, demand -> demand.each().cpus()));
    reason.put("totalCpus", total(all, NodeFreeResources::cpus));
    reason.put("memoryMB", megabytes(total(job, demand -> demand.each().memory().bytes())));
    reason.put("totalMemoryMB", megabytes(total(all, NodeFreeResources::memory)));
    reason.put("devices", total(job, demand -> demand.each().devices()));
    reason.put("totalDevices", total(all, node -> node.devices("")));
    reason.put("kind", DeviceLabel.of("", clusterResources));
    return reason.message();
  }

  /**
   * Records a missing resource; returns false if it was already recorded for another device type.
   */
  private boolean missing(String what) {
    if (!nothingMissing && params.containsKey(what)) {
      return false;
    }
    code.append(nothingMissing ? "" : "-").append(what);
    nothingMissing = false;
    return true;
  }

  private void put(String name, Object value) {
    params.put(name, value);
  }

  private void put(String name, Object value, String otherName, Object otherValue) {
    put(name, value);
    put(otherName, otherValue);
  }

  private Message message() {
    return new Message(code.toString(), params);
  }

  /**
   * Returns the sum and maximum of a value for each device type that the job needs; "" means any
   * type.
   */
  private static Set<Map.Entry<String, Amount>> devices(
      QueuedJob job, ToLongFunction<Demand> figure) {
    Map<String, Amount> types = new LinkedHashMap<>();
    for (Demand demand : job.roles()) {
      if (demand.each().devices() > 0) {
        long value = figure.applyAsLong(demand);
        types.merge(demand.each().deviceType(), new Amount(value, value), Amount::plus);
      }
    }
    return types.entrySet();
  }

  private record Amount(long sum, long max) {
    Amount plus(Amount other) {
      return new Amount(sum + other.sum, Math.max(max, other.max));
    }
  }

  private static long total(QueuedJob job, ToLongFunction<Demand> each) {
    return job.roles().stream().mapToLong(role -> role.tasks() * each.applyAsLong(role)).sum();
  }

  private static long most(QueuedJob job, ToLongFunction<Demand> each) {
    return job.roles().stream().mapToLong(each).max().orElse(0);
  }

  private static long total(List<NodeFreeResources> nodes, ToLongFunction<NodeFreeResources> each) {
    return nodes.stream().mapToLong(each).sum();
  }

  private static long most(List<NodeFreeResources> nodes, ToLongFunction<NodeFreeResources> each) {
    return nodes.stream().mapToLong(each).max().orElse(0);
  }

  private static long megabytes(long bytes) {
    return new DataSize(bytes).megabytes();
  }
}
