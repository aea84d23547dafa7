package dev.trainyard.server.openpai;

import dev.trainyard.model.Device;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Node;
import dev.trainyard.model.TaskResources;
import dev.trainyard.scheduler.TaskPlacement;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.queue.QueuePipeline;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The nodes and their usage at a point in time. */
record Inventory(List<Node> nodes, List<Placed> tasks) {

  /** A task that uses resources. */
  record Placed(Job job, TaskPlacement place) {}

  static Inventory of(QueuePipeline queue, JobService jobs) {
    Map<JobId, Optional<Job>> known = new HashMap<>();
    List<Placed> placed =
        queue.placements().entrySet().stream()
            .flatMap(
                entry ->
                    known.computeIfAbsent(entry.getKey(), jobs::refresh).stream()
                        .flatMap(
                            job -> entry.getValue().stream().map(place -> new Placed(job, place))))
            .toList();
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

    /** Returns OpenPAI's format, with the field names of both launchers. */
    Map<String, Object> view() {
      Map<String, Object> view = new LinkedHashMap<>();
      view.put("cpu", cpus);
      view.put("memory", memory);
      view.put("gpu", devices);
      view.put("vCores", cpus);
      view.put("GPUs", devices);
      return view;
    }

    /** Returns the percentage of another amount, for the resource with the highest one. */
    double percentOf(Amount whole) {
      double most =
          Math.max(
              share(cpus, whole.cpus),
              Math.max(share(memory, whole.memory), share(devices, whole.devices)));
      return Math.round(most * 10_000) / 100.0;
    }

    private static double share(long part, long whole) {
      return whole == 0 ? 0 : (double) part / whole;
    }
  }

  Amount total() {
    return nodes.stream().map(Amount::of).reduce(Amount.NOTHING, Amount::plus);
  }

  Amount used(Predicate<Placed> counted) {
    return tasks.stream()
        .filter(counted)
        .map(task -> Amount.of(task.place().resources()))
        .reduce(Amount.NOTHING, Amount::plus);
  }

  /** Returns the resources per device by model; per CPU if there are no devices. */
  Map<String, Amount> skuTypes() {
    Map<String, Amount> types = new LinkedHashMap<>();
    for (Node node : nodes) {
      int cards = node.devices().size();
      for (Device card : node.devices()) {
        String name = card.model().isEmpty() ? "gpu" : card.model();
        types.putIfAbsent(
            name, new Amount(node.cpus() / cards, node.memory().megabytes() / cards, 1));
      }
      if (cards == 0) {
        long each = node.memory().megabytes() / Math.max(1, node.cpus());
        types.putIfAbsent("cpu", new Amount(1, each, 0));
      }
    }
    return types;
  }
}
