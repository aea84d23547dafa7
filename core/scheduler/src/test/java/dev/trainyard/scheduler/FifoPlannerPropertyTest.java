package dev.trainyard.scheduler;

import static dev.trainyard.scheduler.Cluster.devices;
import static dev.trainyard.scheduler.Cluster.id;
import static dev.trainyard.scheduler.Cluster.node;
import static dev.trainyard.scheduler.Cluster.resources;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Node;
import dev.trainyard.scheduler.QueueEvent.JobPlaced;
import dev.trainyard.scheduler.QueueEvent.JobQueued;
import dev.trainyard.scheduler.QueueEvent.JobRemoved;
import dev.trainyard.scheduler.QueueEvent.NodesChanged;
import dev.trainyard.scheduler.QueuedJob.Demand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Invariants that must hold after every step of a random history. */
class FifoPlannerPropertyTest {
  private final FifoPlanner planner = new FifoPlanner();
  private final TreeMap<JobId, QueuedJob> waiting = new TreeMap<>();
  private final Map<JobId, JobPlaced> placed = new TreeMap<>();
  private List<Node> nodes = List.of();
  private int lastNumber;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void plan_randomHistory(long seed) {
    Random random = new Random(seed);
    changeNodes(random);
    for (int step = 0; step < 400; step++) {
      switch (random.nextInt(10)) {
        case 0, 1, 2, 3 -> submit(random);
        case 4, 5, 6 -> applyPlan(random);
        case 7 -> end(random, new ArrayList<>(placed.keySet()));
        case 8 -> end(random, new ArrayList<>(waiting.keySet()));
        default -> {
          if (random.nextInt(8) == 0 && placed.isEmpty()) {
            changeNodes(random);
          } else {
            retry(random);
          }
        }
      }
      Plan plan = planner.plan(Instant.EPOCH);
      checkCapacity(plan);
      checkOrder(plan);
      if (step % 10 == 0) {
        checkSnapshot(plan);
      }
    }
  }

  private void apply(QueueEvent event) {
    planner.apply(event);
  }

  private void changeNodes(Random random) {
    List<Node> newNodes = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(4); i++) {
      List<Device> nodeDevices = new ArrayList<>();
      nodeDevices.addAll(devices(DeviceVendor.NVIDIA, random.nextInt(5), "a100"));
      int a100Count = nodeDevices.size();
      devices(DeviceVendor.NVIDIA, a100Count + random.nextInt(4), "v100").stream()
          .filter(device -> device.index() >= a100Count)
          .forEach(nodeDevices::add);
      newNodes.add(
          node("node" + i, 1 + random.nextInt(16), 100 + random.nextInt(4000), nodeDevices));
    }
    nodes = newNodes;
    apply(new NodesChanged(nodes));
  }

  private void submit(Random random) {
    List<Demand> roles = new ArrayList<>();
    int count = random.nextInt(4) == 0 ? 2 : 1;
    for (int i = 0; i < count; i++) {
      String type = List.of("", "", "a100", "v100", "none").get(random.nextInt(5));
      int tasks = random.nextInt(3) == 0 ? 1 + random.nextInt(5) : 1;
      roles.add(
          new Demand(
              "role" + i,
              tasks,
              resources(1 + random.nextInt(6), 50 + random.nextInt(600), random.nextInt(4), type)));
    }
    QueuedJob job = new QueuedJob(id(++lastNumber), "u", "default", roles);
    waiting.put(job.id(), job);
    apply(new JobQueued(job));
  }

  /** Applies only some of the planned starts, because in the server a start can fail. */
  private void applyPlan(Random random) {
    for (Plan.Start start : planner.plan(Instant.EPOCH).starts()) {
      if (random.nextInt(5) > 0) {
        JobPlaced event = new JobPlaced(waiting.remove(start.job()), start.tasks());
        placed.put(start.job(), event);
        apply(event);
      }
    }
  }

  private void end(Random random, List<JobId> candidates) {
    if (!candidates.isEmpty()) {
      JobId job = candidates.get(random.nextInt(candidates.size()));
      waiting.remove(job);
      placed.remove(job);
      apply(new JobRemoved(job));
    }
  }

  private void retry(Random random) {
    List<JobPlaced> candidates = new ArrayList<>(placed.values());
    if (!candidates.isEmpty()) {
      QueuedJob job = candidates.get(random.nextInt(candidates.size())).job();
      placed.remove(job.id());
      waiting.put(job.id(), job);
      apply(new JobQueued(job));
    }
  }

  /** Checks that no device is assigned twice and that no node is overcommitted. */
  private void checkCapacity(Plan plan) {
    List<TaskPlacement> tasks = new ArrayList<>();
    placed.values().forEach(event -> tasks.addAll(event.tasks()));
    plan.starts().forEach(start -> tasks.addAll(start.tasks()));
    for (Node node : nodes) {
      Map<Integer, Device> devicesByIndex = new HashMap<>();
      node.devices().forEach(device -> devicesByIndex.put(device.index(), device));
      Set<Integer> assignedDevices = new HashSet<>();
      long cpus = 0;
      long memory = 0;
      for (TaskPlacement task : tasks) {
        if (task.node().equals(node.name())) {
          cpus += task.resources().cpus();
          memory += task.resources().memory().bytes();
          assertThat(task.devices()).hasSize(task.resources().devices());
          for (int index : task.devices()) {
            assertThat(assignedDevices.add(index)).as("device %s once", index).isTrue();
            assertThat(devicesByIndex.get(index).isOfType(task.resources().deviceType())).isTrue();
          }
        }
      }
      assertThat(cpus).isLessThanOrEqualTo(node.cpus());
      assertThat(memory).isLessThanOrEqualTo(node.memory().bytes());
    }
  }

  /**
   * Checks that the started jobs are the first of those that could ever run, and that all tasks of
   * a job start.
   */
  private void checkOrder(Plan plan) {
    List<JobId> schedulableJobs =
        waiting.values().stream()
            .filter(job -> planner.explainNeverFits(job).isEmpty())
            .map(QueuedJob::id)
            .toList();
    List<JobId> startedJobs = plan.starts().stream().map(Plan.Start::job).toList();
    assertThat(startedJobs).isEqualTo(schedulableJobs.subList(0, startedJobs.size()));
    for (Plan.Start start : plan.starts()) {
      int tasks = waiting.get(start.job()).roles().stream().mapToInt(Demand::tasks).sum();
      assertThat(start.tasks()).hasSize(tasks);
    }
    if (placed.isEmpty() && !schedulableJobs.isEmpty()) {
      assertThat(startedJobs).as("empty nodes start a job").isNotEmpty();
    }
  }

  private void checkSnapshot(Plan plan) {
    FifoPlanner secondPlanner = new FifoPlanner();
    waiting.descendingMap().values().forEach(job -> secondPlanner.apply(new JobQueued(job)));
    placed.values().forEach(secondPlanner::apply);
    secondPlanner.apply(new NodesChanged(nodes));

    assertThat(secondPlanner.plan(Instant.EPOCH)).isEqualTo(plan);
    for (JobId job : waiting.keySet()) {
      assertThat(planner.explain(job)).isPresent().isEqualTo(secondPlanner.explain(job));
    }
    for (JobId job : placed.keySet()) {
      assertThat(planner.explain(job)).isEmpty();
    }
  }
}
