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
 * Creates the message that explains why a job waits. The message code contains the names of all
 * missing resources, for example {@code wait.devices-memory}, always in the order devices, cpus,
 * memory.
 */
final class WaitReason {
  private static final int MAX_NAMES = 3;

  private final StringBuilder code;
  private final Map<String, Object> params = new LinkedHashMap<>();
  private boolean nothingMissing = true;

  private WaitReason(String prefix) {
    code = new StringBuilder(prefix);
  }

  /** Returns the reason why a job that is not about to start waits. */
  static Message describe(
      QueuedJob job,
      ClusterResources clusterResources,
      List<NodeFreeResources> free,
      int jobsAhead) {
    if (clusterResources.isEmpty()) {
      return Message.of("wait.no-machine", "ahead", jobsAhead);
    }
    List<String> cordonedNodes = clusterResources.cordonedNodes();
    if (cordonedNodes.isEmpty()) {
      return describeShortage(job, clusterResources, free, jobsAhead);
    }
    // The number of names is limited so that the message stays short.
    String names =
        String.join(", ", cordonedNodes.subList(0, Math.min(MAX_NAMES, cordonedNodes.size())));
    Message cordonedMessage =
        Message.of(
                clusterResources.areAllCordoned() ? "wait.all-cordoned" : "wait.cordoned",
                "machines",
                cordonedNodes.size())
            .with("names", cordonedNodes.size() > MAX_NAMES ? names + ", …" : names);
    return clusterResources.areAllCordoned()
        ? cordonedMessage.with("ahead", jobsAhead)
        : cordonedMessage.with("reason", describeShortage(job, clusterResources, free, jobsAhead));
  }

  private static Message describeShortage(
      QueuedJob job,
      ClusterResources clusterResources,
      List<NodeFreeResources> free,
      int jobsAhead) {
    List<NodeFreeResources> emptyNodes = clusterResources.emptyNodes();
    WaitReason reason = new WaitReason("wait.");
    for (var typeDemand :
        amountsByDeviceType(job, demand -> (long) demand.tasks() * demand.each().devices())) {
      String type = typeDemand.getKey();
      long neededDevices = typeDemand.getValue().sum();
      long freeDevices = sumOf(free, node -> node.deviceCount(type));
      if (neededDevices > freeDevices && reason.addMissing("devices")) {
        reason.put("devices", neededDevices, "kind", DeviceLabel.of(type, clusterResources));
        reason.put(
            "freeDevices",
            freeDevices,
            "totalDevices",
            sumOf(emptyNodes, node -> node.deviceCount(type)));
      }
    }
    long cpus = sumOf(job, demand -> demand.each().cpus());
    long freeCpus = sumOf(free, NodeFreeResources::cpus);
    if (cpus > freeCpus && reason.addMissing("cpus")) {
      reason.put("cpus", cpus);
      reason.put("freeCpus", freeCpus, "totalCpus", sumOf(emptyNodes, NodeFreeResources::cpus));
    }
    long memory = sumOf(job, demand -> demand.each().memory().bytes());
    long freeMemory = sumOf(free, NodeFreeResources::memory);
    if (memory > freeMemory && reason.addMissing("memory")) {
      reason.put("memoryMB", megabytes(memory));
      reason.put("freeMemoryMB", megabytes(freeMemory));
      reason.put("totalMemoryMB", megabytes(sumOf(emptyNodes, NodeFreeResources::memory)));
    }
    if (reason.nothingMissing) {
      reason.code.append(
          GangPlacer.place(job, NodeFreeResources.copies(free)).isPresent() ? "behind" : "spread");
    }
    reason.put("ahead", jobsAhead);
    return reason.message();
  }

  /**
   * Returns the reason why a job could not run even if every node were empty. Returns empty if the
   * job could run or if no node is known.
   */
  static Optional<Message> describePermanent(QueuedJob job, ClusterResources clusterResources) {
    List<NodeFreeResources> emptyNodes = clusterResources.emptyNodes();
    if (emptyNodes.isEmpty()) {
      return Optional.empty();
    }
    WaitReason reason = new WaitReason("wait.never-");
    for (var typeDemand : amountsByDeviceType(job, demand -> demand.each().devices())) {
      String type = typeDemand.getKey();
      long neededDevices = typeDemand.getValue().max();
      long maxDevices = maxOf(emptyNodes, node -> node.maxDevicesPerTask(type));
      if (neededDevices > maxDevices && reason.addMissing("devices")) {
        reason.put("devices", neededDevices, "kind", DeviceLabel.of(type, clusterResources));
        reason.put("mostDevices", maxDevices);
      }
    }
    long cpus = maxOf(job, demand -> demand.each().cpus());
    long maxCpus = maxOf(emptyNodes, NodeFreeResources::cpus);
    if (cpus > maxCpus && reason.addMissing("cpus")) {
      reason.put("cpus", cpus, "mostCpus", maxCpus);
    }
    long memory = maxOf(job, demand -> demand.each().memory().bytes());
    long maxMemory = maxOf(emptyNodes, NodeFreeResources::memory);
    if (memory > maxMemory && reason.addMissing("memory")) {
      reason.put("memoryMB", megabytes(memory), "mostMemoryMB", megabytes(maxMemory));
    }
    if (!reason.nothingMissing) {
      return Optional.of(reason.message());
    }
    return !job.gang() || GangPlacer.place(job, NodeFreeResources.copies(emptyNodes)).isPresent()
        ? Optional.empty()
        : Optional.of(describeNotAtOnce(job, clusterResources));
  }

  /** Describes that each task fits on some node, but not all tasks fit at the same time. */
  private static Message describeNotAtOnce(QueuedJob job, ClusterResources clusterResources) {
    List<NodeFreeResources> emptyNodes = clusterResources.emptyNodes();
    long devices = sumOf(job, demand -> demand.each().devices());
    WaitReason reason =
        new WaitReason(devices > 0 ? "wait.never-together" : "wait.never-together-without-devices");
    reason.put("tasks", job.roles().stream().mapToInt(Demand::tasks).sum());
    reason.put("machines", emptyNodes.size());
    reason.put("cpus", sumOf(job, demand -> demand.each().cpus()));
    reason.put("totalCpus", sumOf(emptyNodes, NodeFreeResources::cpus));
    reason.put("memoryMB", megabytes(sumOf(job, demand -> demand.each().memory().bytes())));
    reason.put("totalMemoryMB", megabytes(sumOf(emptyNodes, NodeFreeResources::memory)));
    if (devices > 0) {
      reason.put("devices", devices);
      reason.put("totalDevices", sumOf(emptyNodes, node -> node.deviceCount("")));
      reason.put("kind", DeviceLabel.of("", clusterResources));
    }
    return reason.message();
  }

  /**
   * Adds a missing resource to the message code; returns false if it was already added for another
   * device type.
   */
  private boolean addMissing(String resource) {
    if (!nothingMissing && params.containsKey(resource)) {
      return false;
    }
    code.append(nothingMissing ? "" : "-").append(resource);
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
  private static Set<Map.Entry<String, Amount>> amountsByDeviceType(
      QueuedJob job, ToLongFunction<Demand> valueOf) {
    Map<String, Amount> types = new LinkedHashMap<>();
    for (Demand demand : job.roles()) {
      if (demand.each().devices() > 0) {
        long value = valueOf.applyAsLong(demand);
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

  private static long sumOf(QueuedJob job, ToLongFunction<Demand> valueOf) {
    return job.roles().stream().mapToLong(role -> role.tasks() * valueOf.applyAsLong(role)).sum();
  }

  private static long maxOf(QueuedJob job, ToLongFunction<Demand> valueOf) {
    return job.roles().stream().mapToLong(valueOf).max().orElse(0);
  }

  private static long sumOf(
      List<NodeFreeResources> nodes, ToLongFunction<NodeFreeResources> valueOf) {
    return nodes.stream().mapToLong(valueOf).sum();
  }

  private static long maxOf(
      List<NodeFreeResources> nodes, ToLongFunction<NodeFreeResources> valueOf) {
    return nodes.stream().mapToLong(valueOf).max().orElse(0);
  }

  private static long megabytes(long bytes) {
    return new DataSize(bytes).megabytes();
  }
}
