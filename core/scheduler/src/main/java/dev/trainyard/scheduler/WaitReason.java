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
 * Says in one sentence what keeps a job from starting. The code of the sentence names all that is
 * short, as in {@code wait.devices-memory}, always in the order devices, cpus, memory.
 */
final class WaitReason {
  private static final int MOST_NAMES = 3;

  private final StringBuilder code;
  private final Map<String, Object> params = new LinkedHashMap<>();
  private boolean nothingMissing = true;

  private WaitReason(String prefix) {
    code = new StringBuilder(prefix);
  }

  /** Why a job has to wait that is not among those about to start. */
  static Message now(
      QueuedJob job, ClusterResources clusterResources, List<NodeFreeResources> free, int ahead) {
    if (clusterResources.isEmpty()) {
      return Message.of("wait.no-machine", "ahead", ahead);
    }
    List<String> cordoned = clusterResources.cordoned();
    if (cordoned.isEmpty()) {
      return shortage(job, clusterResources, free, ahead);
    }
    // Many machines have no place in a sentence.
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
      long left = total(free, room -> room.devices(type));
      if (needed > left && reason.missing("devices")) {
        reason.say("devices", needed, "kind", DeviceLabel.of(type, clusterResources));
        reason.say("freeDevices", left, "totalDevices", total(all, room -> room.devices(type)));
      }
    }
    long cpus = total(job, demand -> demand.each().cpus());
    long freeCpus = total(free, NodeFreeResources::cpus);
    if (cpus > freeCpus && reason.missing("cpus")) {
      reason.say("cpus", cpus);
      reason.say("freeCpus", freeCpus, "totalCpus", total(all, NodeFreeResources::cpus));
    }
    long memory = total(job, demand -> demand.each().memory().bytes());
    long freeMemory = total(free, NodeFreeResources::memory);
    if (memory > freeMemory && reason.missing("memory")) {
      reason.say("memoryMB", megabytes(memory));
      reason.say("freeMemoryMB", megabytes(freeMemory));
      reason.say("totalMemoryMB", megabytes(total(all, NodeFreeResources::memory)));
    }
    if (reason.nothingMissing) {
      reason.code.append(
          GangPlacer.place(job, NodeFreeResources.copies(free)).isPresent() ? "behind" : "spread");
    }
    reason.say("ahead", ahead);
    return reason.message();
  }

  /**
   * Why a job could not run even with every machine empty; empty if it could, and while no machine
   * is known at all, which says nothing about the job.
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
      long largest = most(all, room -> room.devicesForOneTask(type));
      if (needed > largest && reason.missing("devices")) {
        reason.say("devices", needed, "kind", DeviceLabel.of(type, clusterResources));
        reason.say("mostDevices", largest);
      }
    }
    long cpus = most(job, demand -> demand.each().cpus());
    long mostCpus = most(all, NodeFreeResources::cpus);
    if (cpus > mostCpus && reason.missing("cpus")) {
      reason.say("cpus", cpus, "mostCpus", mostCpus);
    }
    long memory = most(job, demand -> demand.each().memory().bytes());
    long mostMemory = most(all, NodeFreeResources::memory);
    if (memory > mostMemory && reason.missing("memory")) {
      reason.say("memoryMB", megabytes(memory), "mostMemoryMB", megabytes(mostMemory));
    }
    if (!reason.nothingMissing) {
      return Optional.of(reason.message());
    }
    return !job.gang() || GangPlacer.place(job, NodeFreeResources.copies(all)).isPresent()
        ? Optional.empty()
        : Optional.of(notTogether(job, clusterResources));
  }

  /** Every task would find a machine, but not all at the same time. */
  private static Message notTogether(QueuedJob job, ClusterResources clusterResources) {
    List<NodeFreeResources> all = clusterResources.empty();
    WaitReason reason = new WaitReason("wait.never-together");
    reason.say("tasks", job.roles().stream().mapToInt(Demand::tasks).sum());
    reason.say("machines", all.size());
    reason.say("cpus", total(job, demand -> demand.each().cpus()));
    reason.say("totalCpus", total(all, NodeFreeResources::cpus));
    reason.say("memoryMB", megabytes(total(job, demand -> demand.each().memory().bytes())));
    reason.say("totalMemoryMB", megabytes(total(all, NodeFreeResources::memory)));
    reason.say("devices", total(job, demand -> demand.each().devices()));
    reason.say("totalDevices", total(all, room -> room.devices("")));
    reason.say("kind", DeviceLabel.of("", clusterResources));
    return reason.message();
  }

  /** Notes what is missing; false if it was noted before, of another type of card. */
  private boolean missing(String what) {
    if (!nothingMissing && params.containsKey(what)) {
      return false;
    }
    code.append(nothingMissing ? "" : "-").append(what);
    nothingMissing = false;
    return true;
  }

  private void say(String name, Object value) {
    params.put(name, value);
  }

  private void say(String name, Object value, String otherName, Object otherValue) {
    say(name, value);
    say(otherName, otherValue);
  }

  private Message message() {
    return new Message(code.toString(), params);
  }

  /** Sum and maximum of a figure for each type of device that the job needs, "" for any type. */
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

  private static long total(List<NodeFreeResources> rooms, ToLongFunction<NodeFreeResources> each) {
    return rooms.stream().mapToLong(each).sum();
  }

  private static long most(List<NodeFreeResources> rooms, ToLongFunction<NodeFreeResources> each) {
    return rooms.stream().mapToLong(each).max().orElse(0);
  }

  private static long megabytes(long bytes) {
    return new DataSize(bytes).megabytes();
  }
}
