package dev.trainyard.server.openpai;

import dev.trainyard.model.Device;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Node;
import dev.trainyard.model.TaskResources;
import dev.trainyard.scheduler.TaskPlacement;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.queue.QueuePipeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The nodes and their usage at a point in time. */
record Inventory(List<Node> nodes, List<PlacedTask> tasks) {

  /** A task that uses resources. */
  record PlacedTask(Job job, TaskPlacement placement) {}

  static Inventory of(QueuePipeline queue, JobService jobs) {
    Map<JobId, List<TaskPlacement>> placements = queue.placements();
    List<PlacedTask> placed = new ArrayList<>();
    for (Job job : jobs.lists().findAll(placements.keySet())) {
      placements.get(job.id()).forEach(placement -> placed.add(new PlacedTask(job, placement)));
    }
    return new Inventory(queue.nodes(), placed);
  }

  /** Amounts of all resources. */
  record Amount(long cpus, long memory, long devices) {
    static final Amount NOTHING = new Amount(0, 0, 0);

    Amount plus(Amount other) {
      return new Amount(cpus + other.cpus, memory + other.memory, devices + other.devices);
    }

    static Amount of(TaskResources resources) {
      return new Amount(resources.cpus(), resources.memory().megabytes(), resources.devices());
    }

    static Amount of(Node node) {
      return new Amount(node.cpus(), node.memory().megabytes(), node.devices().size());
    }

    /**
     * Returns the amount in OpenPAI's format, with the field names of both launchers of OpenPAI.
     */
    Map<String, Object> view() {
      Map<String, Object> view = new LinkedHashMap<>();
      view.put("cpu", cpus);
      view.put("memory", memory);
      view.put("gpu", devices);
      view.put("vCores", cpus);
      view.put("GPUs", devices);
      return view;
    }

    /**
     * Returns this amount as a percentage of another amount, for the resource with the highest
     * percentage.
     */
    double percentOf(Amount total) {
      double highest =
          Math.max(
              share(cpus, total.cpus),
              Math.max(share(memory, total.memory), share(devices, total.devices)));
      return Math.round(highest * 10_000) / 100.0;
    }

    private static double share(long part, long total) {
      return total == 0 ? 0 : (double) part / total;
    }
  }

  Amount total() {
    return nodes.stream().map(Amount::of).reduce(Amount.NOTHING, Amount::plus);
  }

  Amount used(Predicate<PlacedTask> filter) {
    return tasks.stream()
        .filter(filter)
        .map(task -> Amount.of(task.placement().resources()))
        .reduce(Amount.NOTHING, Amount::plus);
  }

  /**
   * Returns by model the resources that belong to one device, or to one CPU if there are no
   * devices.
   */
  Map<String, Amount> skuTypes() {
    Map<String, Amount> types = new LinkedHashMap<>();
    for (Node node : nodes) {
      int deviceCount = node.devices().size();
      for (Device device : node.devices()) {
        String name = device.model().isEmpty() ? "gpu" : device.model();
        types.putIfAbsent(
            name,
            new Amount(node.cpus() / deviceCount, node.memory().megabytes() / deviceCount, 1));
      }
      if (deviceCount == 0) {
        long memoryPerCpu = node.memory().megabytes() / Math.max(1, node.cpus());
        types.putIfAbsent("cpu", new Amount(1, memoryPerCpu, 0));
      }
    }
    return types;
  }
}
