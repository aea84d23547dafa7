package dev.trainyard.scheduler;

import static dev.trainyard.scheduler.Cluster.devices;
import static dev.trainyard.scheduler.Cluster.gpus;
import static dev.trainyard.scheduler.Cluster.id;
import static dev.trainyard.scheduler.Cluster.job;
import static dev.trainyard.scheduler.Cluster.node;
import static dev.trainyard.scheduler.Cluster.resources;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import dev.trainyard.model.Message;
import dev.trainyard.model.Messages;
import dev.trainyard.model.Node;
import dev.trainyard.scheduler.QueueEvent.JobPlaced;
import dev.trainyard.scheduler.QueueEvent.JobQueued;
import dev.trainyard.scheduler.QueueEvent.JobRemoved;
import dev.trainyard.scheduler.QueueEvent.NodesChanged;
import dev.trainyard.scheduler.QueueEvent.PlacementEnded;
import dev.trainyard.scheduler.QueueEvent.PortLimitChanged;
import dev.trainyard.scheduler.QueueEvent.TaskName;
import dev.trainyard.scheduler.QueueEvent.TasksFinished;
import dev.trainyard.scheduler.QueueEvent.TasksRequeued;
import dev.trainyard.scheduler.QueuedJob.Demand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class FifoPlannerTest {
  private final FifoPlanner planner = new FifoPlanner();

  private void setNodes(Node... nodes) {
    planner.apply(new NodesChanged(List.of(nodes)));
  }

  private void enqueue(QueuedJob... jobs) {
    for (QueuedJob job : jobs) {
      planner.apply(new JobQueued(job));
    }
  }

  /** Applies the plan like the server does. */
  private void start(QueuedJob... jobs) {
    for (Plan.Start start : planner.plan(Instant.EPOCH).starts()) {
      for (QueuedJob job : jobs) {
        if (job.id().equals(start.job())) {
          planner.apply(new JobPlaced(job, start.tasks()));
        }
      }
    }
  }

  private List<String> starts() {
    List<String> starts = new ArrayList<>();
    for (Plan.Start start : planner.plan(Instant.EPOCH).starts()) {
      for (TaskPlacement task : start.tasks()) {
        int number = Integer.parseInt(start.job().value());
        starts.add(number + " " + task.role() + task.index() + "@" + task.node() + task.devices());
      }
    }
    return starts;
  }

  private String waitReason(int number) {
    return planner.explain(id(number)).map(Message::english).orElse("-");
  }

  private String neverFitsReason(QueuedJob job) {
    return planner.explainNeverFits(job).map(Message::english).orElse("-");
  }

  @Test
  void plan_noJobs_startsNothing() {
    assertThat(starts()).isEmpty();
    setNodes(node("a", 8, 1000, gpus(0)));
    assertThat(starts()).isEmpty();
  }

  @Test
  void plan_jobs_areOrderedById() {
    setNodes(node("a", 2, 1000, gpus(0)));
    enqueue(job(3, 1, 100, 0), job(1, 1, 100, 0), job(2, 1, 100, 0));
    assertThat(starts()).containsExactly("1 main0@a[]", "2 main0@a[]");
    assertThat(waitReason(1)).isEqualTo("about to start");
    assertThat(waitReason(3)).isEqualTo("needs 1 CPU: 0 of 2 are free");
  }

  private static QueuedJob jobWithoutGang(int number, int tasks, int cpus) {
    Demand demand = new Demand("main", tasks, resources(cpus, 100, 0, ""));
    return new QueuedJob(id(number), "alice", "default", List.of(demand), false);
  }

  @Test
  void plan_withoutGang_asManyAsFit() {
    setNodes(node("a", 5, 1000, gpus(0)));
    QueuedJob job = jobWithoutGang(1, 4, 2);
    QueuedJob nextJob = job(2, 1, 100, 0);
    enqueue(job, nextJob);
    assertThat(starts()).containsExactly("1 main0@a[]", "1 main1@a[]");
    start(job);
    assertThat(starts()).isEmpty();
    assertThat(waitReason(1))
        .isEqualTo("2 of 4 tasks have not started; the next one: needs 2 CPUs: 1 of 5 is free");
    assertThat(waitReason(2)).isEqualTo("enough resources are free, but 1 job is ahead");
    TaskPlacement firstTask =
        new TaskPlacement("main", 0, "a", job.roles().getFirst().each(), List.of());
    planner.apply(new TasksFinished(id(1), List.of(firstTask)));
    planner.apply(new TasksFinished(id(1), List.of(firstTask)));
    assertThat(starts()).containsExactly("1 main2@a[]");
    start(job);
    planner.apply(new PlacementEnded(id(1)));
    assertThat(waitReason(1)).isEqualTo("-");
    assertThat(starts()).containsExactly("2 main0@a[]");
    planner.apply(new JobRemoved(id(1)));
    enqueue(jobWithoutGang(1, 4, 2));
    assertThat(starts()).containsExactly("1 main0@a[]", "1 main1@a[]");
  }

  @Test
  void plan_withoutGang_requeuedTask() {
    setNodes(node("a", 4, 1000, gpus(0)));
    QueuedJob job = jobWithoutGang(1, 3, 2);
    enqueue(job);
    start(job);
    TaskPlacement firstTask =
        new TaskPlacement("main", 0, "a", job.roles().getFirst().each(), List.of());
    planner.apply(new TasksFinished(id(1), List.of(firstTask)));
    planner.apply(new TasksRequeued(job, List.of(new TaskName("main", 0))));
    assertThat(starts()).containsExactly("1 main0@a[]");
    start(job);
    planner.apply(new TasksFinished(id(1), List.of(firstTask)));
    assertThat(starts()).containsExactly("1 main2@a[]");
    start(job);
    assertThat(waitReason(1)).isEqualTo("-");
    planner.apply(new TasksRequeued(job, List.of(new TaskName("main", 0))));
    assertThat(waitReason(1)).startsWith("1 of 3 tasks");
  }

  @Test
  void plan_withoutGang_asManyAsThePortLimitAllows() {
    setNodes(node("a", 8, 1000, gpus(0)));
    planner.apply(new PortLimitChanged(10));
    Demand demand = new Demand("main", 4, resources(1, 100, 0, ""), 4);
    QueuedJob job = new QueuedJob(id(1), "alice", "default", List.of(demand), false);
    enqueue(job, job(2, 1, 100, 0));
    assertThat(starts()).containsExactly("1 main0@a[]", "1 main1@a[]", "2 main0@a[]");
    start(job);
    assertThat(waitReason(1))
        .isEqualTo(
            "2 of 4 tasks have not started; the next one: needs 4 ports: running tasks of the"
                + " job use 8 of the 10 that one job may request");
    assertThat(starts()).containsExactly("2 main0@a[]");
    planner.apply(
        new TasksFinished(
            id(1), List.of(new TaskPlacement("main", 0, "a", demand.each(), List.of()))));
    assertThat(starts()).containsExactly("1 main2@a[]", "2 main0@a[]");
  }

  @Test
  void plan_withoutGang_portLimitLoweredBelowOneTask_oneAtATime() {
    setNodes(node("a", 8, 1000, gpus(0)));
    planner.apply(new PortLimitChanged(3));
    Demand demand = new Demand("main", 4, resources(1, 100, 0, ""), 4);
    QueuedJob job = new QueuedJob(id(1), "alice", "default", List.of(demand), false);
    enqueue(job);
    assertThat(starts()).containsExactly("1 main0@a[]");
    start(job);
    assertThat(starts()).isEmpty();
  }

  @Test
  void plan_withoutGang_wholeJobAndTheNext() {
    setNodes(node("a", 5, 1000, gpus(0)));
    enqueue(jobWithoutGang(1, 2, 2), job(2, 1, 100, 0));
    assertThat(starts()).containsExactly("1 main0@a[]", "1 main1@a[]", "2 main0@a[]");
  }

  @Test
  void neverFits_withoutGang_onlyIfOneTaskDoesNot() {
    setNodes(node("a", 2, 1000, gpus(0)));
    assertThat(neverFitsReason(jobWithoutGang(1, 50, 2))).isEqualTo("-");
    assertThat(neverFitsReason(jobWithoutGang(2, 1, 3))).contains("3 CPUs");
    Demand demand = new Demand("main", 50, resources(2, 100, 0, ""));
    assertThat(neverFitsReason(job(3, demand))).isNotEqualTo("-");
  }

  @Test
  void plan_withoutGang_nodesChangeBetweenPlans() {
    setNodes(node("a", 2, 1000, gpus(0)));
    QueuedJob job = jobWithoutGang(1, 3, 2);
    enqueue(job);
    start(job);
    setNodes(node("a", 2, 1000, gpus(0)), node("b", 1, 1000, gpus(0)));
    assertThat(starts()).isEmpty();
    setNodes(node("a", 2, 1000, gpus(0)), node("b", 2, 1000, gpus(0)));
    assertThat(starts()).containsExactly("1 main1@b[]");
  }

  @Test
  void plan_twice_returnsSamePlan() {
    setNodes(node("a", 2, 1000, gpus(0)));
    enqueue(job(1, 1, 100, 0));
    assertThat(starts()).isEqualTo(starts()).hasSize(1);
  }

  @Test
  void plan_blockedHead_blocksAll() {
    setNodes(node("a", 8, 1000, gpus(2)));
    QueuedJob running = job(1, 1, 100, 1);
    enqueue(running);
    start(running);
    enqueue(job(2, 1, 100, 2), job(3, 1, 100, 0));
    assertThat(starts()).isEmpty();
    assertThat(waitReason(3)).isEqualTo("enough resources are free, but 1 job is ahead");
    planner.apply(new JobRemoved(id(2)));
    assertThat(starts()).containsExactly("3 main0@a[]");
  }

  @Test
  void plan_jobsThatNeverFit_doNotBlock() {
    setNodes(node("a", 8, 1000, gpus(2)));
    enqueue(job(1, 1, 100, 3), job(2, 1, 100, 2), job(3, 1, 100, 1));
    assertThat(starts()).containsExactly("2 main0@a[0, 1]");
    assertThat(waitReason(1)).isEqualTo("needs 3 GPUs, the largest node has 2");
    assertThat(waitReason(3)).isEqualTo("needs 1 GPU: 0 of 2 are free");
  }

  @Test
  void plan_nodesAdded_jobFits() {
    setNodes(node("a", 8, 1000, gpus(0)));
    enqueue(job(1, 1, 100, 3), job(2, 1, 100, 0));
    setNodes(node("a", 8, 1000, gpus(0)), node("b", 8, 1000, gpus(4)));
    assertThat(starts()).containsExactly("1 main0@b[0, 1, 2]", "2 main0@a[]");
    setNodes(node("a", 8, 1000, gpus(0)));
    assertThat(starts()).containsExactly("2 main0@a[]");
  }

  @Test
  void plan_lowestFreeDevices() {
    setNodes(node("a", 8, 1000, gpus(4)));
    QueuedJob firstJob = job(1, 1, 100, 1);
    QueuedJob secondJob = job(2, 1, 100, 1);
    enqueue(firstJob, secondJob);
    start(firstJob, secondJob);
    planner.apply(new JobRemoved(id(1)));
    enqueue(job(3, 1, 100, 2));
    assertThat(starts()).containsExactly("3 main0@a[0, 2]");
  }

  @Test
  void plan_typedDevices() {
    List<Device> mixedDevices = new ArrayList<>(gpus(2));
    devices(DeviceVendor.NVIDIA, 4, "v100").subList(2, 4).forEach(mixedDevices::add);
    setNodes(node("a", 8, 1000, mixedDevices));
    enqueue(
        job(1, new Demand("main", 1, resources(1, 100, 1, "V100"))),
        job(2, new Demand("main", 1, resources(1, 100, 2, "v100"))),
        job(3, new Demand("main", 1, resources(1, 100, 1, ""))));
    assertThat(starts()).containsExactly("1 main0@a[2]");
    assertThat(waitReason(2)).isEqualTo("needs 2 v100 GPUs: 1 of 2 is free");
  }

  @Test
  void plan_gangAllOrNothing() {
    setNodes(node("a", 4, 1000, gpus(2)), node("b", 4, 1000, gpus(2)));
    QueuedJob gang =
        job(
            1,
            new Demand("ps", 1, resources(1, 100, 0, "")),
            new Demand("worker", 2, resources(2, 100, 2, "")));
    enqueue(gang);
    assertThat(starts()).containsExactly("1 ps0@a[]", "1 worker0@a[0, 1]", "1 worker1@b[0, 1]");
    planner.apply(
        new JobPlaced(
            job(0, 1, 100, 1),
            List.of(new TaskPlacement("main", 0, "b", resources(1, 100, 1, ""), List.of(1)))));
    assertThat(starts()).isEmpty();
    assertThat(waitReason(1)).isEqualTo("needs 4 GPUs: 3 of 4 are free");
  }

  @Test
  void plan_tasksWithoutDevices_avoidNodesWithDevices() {
    setNodes(node("a", 4, 1000, gpus(2)), node("b", 4, 1000, gpus(0)));
    enqueue(job(1, 1, 100, 0));
    assertThat(starts()).containsExactly("1 main0@b[]");
  }

  @Test
  void plan_neverMixesVendorsInOneTask() {
    List<Device> mixedDevices = new ArrayList<>(gpus(1));
    mixedDevices.addAll(devices(DeviceVendor.ASCEND, 3, "ascend910").subList(1, 3));
    setNodes(node("a", 8, 1000, mixedDevices));
    enqueue(job(1, 1, 100, 2));
    assertThat(starts()).containsExactly("1 main0@a[1, 2]");
    assertThat(neverFitsReason(job(2, 1, 100, 3)))
        .isEqualTo("needs 3 GPU/NPUs, the largest node has 2");
  }

  @Test
  void apply_nextAttempt_keepsQueuePosition() {
    setNodes(node("a", 1, 1000, gpus(0)));
    QueuedJob firstJob = job(1, 1, 100, 0);
    enqueue(firstJob, job(2, 1, 100, 0));
    start(firstJob);
    assertThat(starts()).isEmpty();
    enqueue(firstJob);
    assertThat(starts()).containsExactly("1 main0@a[]");
  }

  @Test
  void apply_sameEventTwice() {
    setNodes(node("a", 2, 1000, gpus(0)));
    QueuedJob job = job(1, 1, 100, 0);
    enqueue(job, job);
    Plan.Start start = planner.plan(Instant.EPOCH).starts().getFirst();
    planner.apply(new JobPlaced(job, start.tasks()));
    planner.apply(new JobPlaced(job, start.tasks()));
    planner.apply(new JobRemoved(id(1)));
    planner.apply(new JobRemoved(id(1)));
    enqueue(job(2, 2, 100, 0));
    assertThat(starts()).containsExactly("2 main0@a[]");
  }

  @Test
  void explain_allMessages() {
    setNodes(node("a", 8, 8192, gpus(8)));
    QueuedJob running = job(1, 6, 8000, 6);
    enqueue(running);
    start(running);
    enqueue(job(2, 1, 100, 4), job(3, 1, 100, 4));
    assertThat(waitReason(2)).isEqualTo("needs 4 GPUs: 2 of 8 are free");
    assertThat(waitReason(3)).isEqualTo("needs 4 GPUs: 2 of 8 are free, 1 job ahead");
    enqueue(job(4, 4, 100, 0), job(5, 1, 1000, 0), job(6, 4, 1000, 8), job(7, 3, 1000, 0));
    assertThat(waitReason(4)).isEqualTo("needs 4 CPUs: 2 of 8 are free, 2 jobs ahead");
    assertThat(waitReason(5))
        .isEqualTo("needs 1000 MiB of memory: 192 MiB of 8 GiB are free, 3 jobs ahead");
    assertThat(waitReason(6))
        .isEqualTo(
            "needs 8 GPUs (2 of 8 are free), 4 CPUs (2 of 8 are free)"
                + " and 1000 MiB of memory (192 MiB of 8 GiB are free), 4 jobs ahead");
    assertThat(waitReason(7))
        .isEqualTo(
            "needs 3 CPUs (2 of 8 are free) and 1000 MiB of memory (192 MiB of 8 GiB are free),"
                + " 5 jobs ahead");
    assertThat(waitReason(1)).isEqualTo("-");
    assertThat(waitReason(99)).isEqualTo("-");
    assertThat(Messages.CHINESE.text(planner.explain(id(3)).get()))
        .isEqualTo("需要 4 块 GPU：共 8 块，空闲 2 块，前面还有 1 个任务");
  }

  @Test
  void explain_everyCodeHasText() {
    for (String shortage :
        List.of(
            "devices",
            "cpus",
            "memory",
            "devices-cpus",
            "devices-memory",
            "cpus-memory",
            "devices-cpus-memory")) {
      assertThat(Messages.ENGLISH.codes()).contains("wait." + shortage, "wait.never-" + shortage);
    }
  }

  @Test
  void explain_spreadOverNodes() {
    setNodes(node("a", 4, 1000, gpus(4)), node("b", 4, 1000, gpus(4)));
    QueuedJob firstJob = job(1, 1, 100, 3);
    QueuedJob secondJob = job(2, 1, 100, 3);
    enqueue(firstJob, secondJob);
    start(firstJob, secondJob);
    enqueue(job(3, 1, 100, 2));
    assertThat(waitReason(3)).isEqualTo("enough resources are free, but not on a single node");
  }

  @Test
  void explain_withoutNodes() {
    enqueue(job(1, 1, 100, 2), job(2, 1, 100, 2));
    assertThat(waitReason(1)).isEqualTo("no node is available");
    assertThat(waitReason(2)).isEqualTo("no node is available, 1 job ahead");
    assertThat(neverFitsReason(job(3, 100, 100, 2))).isEqualTo("-");
  }

  @Test
  void plan_cordonedNodes_startNothing() {
    setNodes(node("a", 2, 1000, gpus(0)), node("b", 1, 1000, gpus(0)));
    QueuedJob firstJob = job(1, 2, 100, 0);
    enqueue(firstJob);
    start(firstJob);
    planner.apply(new QueueEvent.CordonedNodesChanged(Set.of("b", "gone")));
    enqueue(job(2, 1, 100, 0));
    assertThat(starts()).isEmpty();
    assertThat(waitReason(2)).isEqualTo("needs 1 CPU: 0 of 3 are free; 1 node is cordoned (b)");
    assertThat(neverFitsReason(job(3, 1, 100, 0))).isEqualTo("-");
    planner.apply(new QueueEvent.CordonedNodesChanged(Set.of("a", "b")));
    assertThat(waitReason(2)).isEqualTo("all nodes are cordoned (a, b)");
    planner.apply(new QueueEvent.CordonedNodesChanged(Set.of("a")));
    assertThat(starts()).containsExactly("2 main0@b[]");
  }

  @Test
  void neverFits_namesEveryMissingResource() {
    setNodes(node("a", 8, 1000, gpus(0)), node("b", 4, 2000, gpus(0)));
    assertThat(neverFitsReason(job(1, 8, 1000, 0))).isEqualTo("-");
    assertThat(neverFitsReason(job(1, 9, 100, 0)))
        .isEqualTo("needs 9 CPUs, the largest node has 8");
    assertThat(neverFitsReason(job(1, 9, 2001, 1)))
        .isEqualTo(
            "needs 1 GPU, this cluster has none; needs 9 CPUs, the largest"
                + " node has 8; needs 2001 MiB of memory, the largest node has 2000 MiB");
    assertThat(neverFitsReason(job(1, 5, 1500, 0)))
        .startsWith("its 1 task needs 5 CPUs and 1.5 GiB of memory, which");
  }

  @Test
  void neverFits_types() {
    setNodes(node("a", 8, 1000, gpus(4)));
    assertThat(neverFitsReason(job(1, new Demand("main", 1, resources(1, 100, 2, "gtx1080ti")))))
        .isEqualTo("needs 2 gtx1080ti GPUs, this cluster has none");
    assertThat(neverFitsReason(job(1, new Demand("main", 1, resources(1, 100, 1, "ascend910")))))
        .isEqualTo("needs 1 ascend910 NPU, this cluster has none");
    assertThat(neverFitsReason(job(1, new Demand("main", 1, resources(1, 100, 0, "gtx1080ti")))))
        .isEqualTo("-");
    setNodes(node("a", 8, 1000, devices(DeviceVendor.ASCEND, 2, "ascend910")));
    assertThat(neverFitsReason(job(1, 1, 100, 3)))
        .isEqualTo("needs 3 NPUs, the largest node has 2");
  }

  @Test
  void neverFits_gang() {
    setNodes(node("a", 8, 1000, gpus(4)), node("b", 8, 1000, gpus(4)));
    assertThat(neverFitsReason(job(1, new Demand("main", 2, resources(1, 100, 4, "")))))
        .isEqualTo("-");
    assertThat(neverFitsReason(job(1, new Demand("main", 3, resources(1, 100, 4, "")))))
        .isEqualTo(
            "its 3 tasks together need 3 CPUs, 300 MiB of memory and 12"
                + " GPUs, which the 2 nodes cannot provide at the same time (16 CPUs, 2 GiB,"
                + " 8 GPUs)");
    assertThat(
            neverFitsReason(
                job(1, new Demand("main", 10_000, resources(Integer.MAX_VALUE, 100, 0, "")))))
        .startsWith("needs 2147483647 CPUs");
  }

  @Test
  void apply_nodeShrinksBelowUsage() {
    setNodes(node("a", 8, 1000, gpus(4)));
    QueuedJob running = job(1, 6, 900, 4);
    enqueue(running);
    start(running);
    setNodes(node("a", 4, 500, gpus(1)));
    enqueue(job(2, 1, 100, 1));
    assertThat(starts()).isEmpty();
    assertThat(waitReason(2))
        .isEqualTo(
            "needs 1 GPU (0 of 1 are free), 1 CPU (0 of 4 are free)"
                + " and 100 MiB of memory (0 MiB of 500 MiB are free)");
    planner.apply(new JobRemoved(id(1)));
    assertThat(starts()).containsExactly("2 main0@a[0]");
  }

  /**
   * The time limit is far above the time needed and far below the time that examining every job on
   * each call would take.
   */
  @Test
  void explain_longQueue() {
    setNodes(node("a", 8, 8192, gpus(8)));
    QueuedJob running = job(0, 1, 100, 6);
    enqueue(running);
    start(running);
    int jobs = 100_000;
    Assertions.assertTimeout(
        Duration.ofSeconds(20),
        () -> {
          for (int i = 1; i <= jobs; i++) {
            planner.apply(new JobQueued(job(i, 1, 100, 4)));
            planner.plan(Instant.EPOCH);
          }
          for (int i = 1; i <= jobs; i += 10) {
            assertThat(planner.explain(id(i)).get().params()).containsEntry("ahead", i - 1);
          }
        });
  }
}
