package dev.trainyard.scheduler;

import static dev.trainyard.scheduler.Cluster.devices;
import static dev.trainyard.scheduler.Cluster.gpus;
import static dev.trainyard.scheduler.Cluster.id;
import static dev.trainyard.scheduler.Cluster.node;
import static dev.trainyard.scheduler.Cluster.resources;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import dev.trainyard.model.Message;
import dev.trainyard.model.Messages;
import dev.trainyard.model.Node;
import dev.trainyard.model.TaskResources;
import dev.trainyard.scheduler.QueueEvent.JobPlaced;
import dev.trainyard.scheduler.QueueEvent.JobQueued;
import dev.trainyard.scheduler.QueueEvent.JobRemoved;
import dev.trainyard.scheduler.QueueEvent.NodesChanged;
import dev.trainyard.scheduler.QueueEvent.QuotasChanged;
import dev.trainyard.scheduler.QueueEvent.TasksFinished;
import dev.trainyard.scheduler.QueuedJob.Demand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class FifoPlannerQuotaTest {
  private final FifoPlanner planner = new FifoPlanner();
  private final Map<String, QueuedJob> jobsById = new HashMap<>();

  private void setNodes(Node... nodes) {
    planner.apply(new NodesChanged(List.of(nodes)));
  }

  private void quota(String cluster, Quota quota) {
    planner.apply(new QuotasChanged(new Quotas(Map.of(cluster, quota), Quota.UNLIMITED, Map.of())));
  }

  private void userLimits(Quota defaultLimit, Map<String, Quota> users) {
    planner.apply(new QuotasChanged(new Quotas(Map.of(), defaultLimit, users)));
  }

  private static QueuedJob job(int number, String user, String cluster, TaskResources resources) {
    return new QueuedJob(id(number), user, cluster, List.of(new Demand("main", 1, resources)));
  }

  private static QueuedJob cpus(int number, String user, String cluster, int cpus) {
    return job(number, user, cluster, resources(cpus, 100, 0, ""));
  }

  private static QueuedJob jobWithoutGang(
      int number, String cluster, int tasks, TaskResources each) {
    List<Demand> demands = List.of(new Demand("main", tasks, each));
    return new QueuedJob(id(number), "alice", cluster, demands, false);
  }

  private void enqueue(QueuedJob... jobs) {
    for (QueuedJob job : jobs) {
      jobsById.put(job.id().value(), job);
      planner.apply(new JobQueued(job));
    }
  }

  private List<String> starts() {
    List<String> starts = new ArrayList<>();
    for (Plan.Start start : planner.plan(Instant.EPOCH).starts()) {
      int number = Integer.parseInt(start.job().value());
      start.tasks().forEach(task -> starts.add(number + "." + task.index() + task.devices()));
    }
    return starts;
  }

  /** Starts the planned jobs. */
  private void start() {
    for (Plan.Start start : planner.plan(Instant.EPOCH).starts()) {
      planner.apply(new JobPlaced(jobsById.get(start.job().value()), start.tasks()));
    }
  }

  private String waitReason(int number) {
    return planner.explain(id(number)).map(Message::english).orElse("-");
  }

  private void revoke(RevokedAccess revokedAccess) {
    planner.apply(
        new QuotasChanged(new Quotas(Map.of(), Quota.UNLIMITED, Map.of(), revokedAccess)));
  }

  @Test
  void plan_revokedAccess_waitsUntilGranted() {
    setNodes(node("a", 16, 10_000, gpus(0)));
    enqueue(
        cpus(1, "alice", "lab", 1),
        cpus(2, "alice", "default", 1),
        cpus(3, "bob", "lab", 1),
        cpus(4, "carol", "lab", 1));
    revoke(
        new RevokedAccess(Set.of("bob"), Set.of(new RevokedAccess.UserInCluster("alice", "lab"))));
    assertThat(starts()).containsExactly("2.0[]", "4.0[]");
    assertThat(waitReason(1))
        .isEqualTo(
            "alice can no longer use virtual cluster lab;"
                + " the job continues when an administrator grants it again");
    assertThat(waitReason(3)).startsWith("bob is disabled");
    enqueue(cpus(5, "bob", "default", 1));
    assertThat(starts()).containsExactly("2.0[]", "4.0[]");
    revoke(RevokedAccess.NONE);
    assertThat(starts()).containsExactly("1.0[]", "2.0[]", "3.0[]", "4.0[]", "5.0[]");
  }

  @Test
  void plan_exhaustedQuota_blocksOnlyItsCluster() {
    setNodes(node("a", 16, 10_000, gpus(0)));
    quota("lab", Quota.UNLIMITED.withCpus(4));
    enqueue(
        cpus(1, "alice", "lab", 3),
        cpus(2, "alice", "lab", 2),
        cpus(3, "bob", "lab", 1),
        cpus(4, "alice", "default", 5));
    assertThat(starts()).containsExactly("1.0[]", "4.0[]");
    assertThat(waitReason(2))
        .isEqualTo("needs 2 CPUs: virtual cluster lab uses 3 of its 4, 1 of its jobs ahead");
    start();
    assertThat(waitReason(2)).isEqualTo("needs 2 CPUs: virtual cluster lab uses 3 of its 4");
    assertThat(waitReason(3)).isEqualTo("1 earlier job of virtual cluster lab waits for its quota");
    assertThat(Messages.CHINESE.text(planner.explain(id(2)).orElseThrow()))
        .isEqualTo("需要 2 个 CPU：虚拟集群 lab 的配额为 4 个，已用 3 个");
    assertThat(starts()).isEmpty();
    planner.apply(new JobRemoved(id(1)));
    assertThat(starts()).containsExactly("2.0[]", "3.0[]");
  }

  @Test
  void plan_quotaOfMemoryAndDevices() {
    setNodes(node("a", 16, 10_000, gpus(8)));
    quota("lab", Quota.UNLIMITED.withMemory(1000).withDevices(2));
    enqueue(
        job(1, "alice", "lab", resources(1, 600, 1, "")),
        job(2, "alice", "lab", resources(1, 500, 1, "")));
    start();
    assertThat(waitReason(2))
        .isEqualTo("needs 500 MiB of memory: virtual cluster lab uses 600 MiB of its 1000 MiB");
    quota("lab", Quota.UNLIMITED.withDevices(1));
    assertThat(waitReason(2)).isEqualTo("needs 1 GPU: virtual cluster lab uses 1 of its 1");
    quota("lab", Quota.UNLIMITED.withDevices(2));
    assertThat(starts()).containsExactly("2.0[1]");
  }

  @Test
  void plan_quotaBelowUsage_blocksOnlyJobsThatNeedMoreOfIt() {
    setNodes(node("a", 16, 10_000, gpus(4)));
    enqueue(job(1, "alice", "lab", resources(1, 100, 3, "")));
    start();
    quota("lab", Quota.UNLIMITED.withDevices(1));
    enqueue(cpus(2, "alice", "lab", 1), job(3, "alice", "lab", resources(1, 100, 1, "")));
    assertThat(starts()).containsExactly("2.0[]");
    assertThat(waitReason(3)).startsWith("needs 1 GPU: virtual cluster lab uses 3 of its 1");
  }

  @Test
  void plan_quotaOfDeviceType() {
    List<Device> mixedDevices = new ArrayList<>(gpus(2));
    devices(DeviceVendor.NVIDIA, 4, "v100").subList(2, 4).forEach(mixedDevices::add);
    setNodes(node("a", 16, 10_000, mixedDevices));
    quota("lab", Quota.UNLIMITED.withDevices("a100", 1));
    enqueue(
        job(1, "alice", "lab", resources(1, 100, 1, "A100")),
        job(2, "bob", "lab", resources(1, 100, 1, "")),
        job(3, "bob", "default", resources(1, 100, 1, "a100")),
        job(4, "carol", "lab", resources(1, 100, 1, "a100")));
    // The second job accepts any device and gets one that does not count.
    assertThat(starts()).containsExactly("1.0[0]", "2.0[2]", "3.0[1]");
    start();
    assertThat(waitReason(4)).isEqualTo("needs 1 a100 GPU: virtual cluster lab uses 1 of its 1");
    assertThat(planner.uses().ofVirtualCluster("lab").models())
        .isEqualTo(Map.of("a100", 1L, "v100", 1L));
  }

  @Test
  void plan_withoutGang_asManyTasksAsTheQuotaAllows() {
    setNodes(node("a", 16, 10_000, gpus(4)));
    quota("lab", Quota.UNLIMITED.withCpus(5));
    QueuedJob job = jobWithoutGang(1, "lab", 4, resources(2, 100, 0, ""));
    enqueue(job, cpus(2, "bob", "default", 1), cpus(3, "bob", "lab", 1));
    assertThat(starts()).containsExactly("1.0[]", "1.1[]", "2.0[]");
    start();
    assertThat(waitReason(1))
        .isEqualTo(
            "2 of 4 tasks have not started; the next one: needs 2 CPUs: virtual cluster lab"
                + " uses 4 of its 5");
    assertThat(planner.uses().ofVirtualCluster("lab"))
        .isEqualTo(new ResourceUsage(1, 4, 200, 0, Map.of()));
    TaskPlacement firstTask =
        new TaskPlacement("main", 0, "a", job.roles().getFirst().each(), List.of());
    planner.apply(new TasksFinished(id(1), List.of(firstTask)));
    assertThat(starts()).containsExactly("1.2[]");
  }

  @Test
  void plan_withoutGang_anyDeviceWithinTypeQuota() {
    List<Device> mixedDevices = new ArrayList<>(gpus(2));
    devices(DeviceVendor.NVIDIA, 4, "v100").subList(2, 4).forEach(mixedDevices::add);
    setNodes(node("a", 16, 10_000, mixedDevices));
    quota("lab", Quota.UNLIMITED.withDevices("a100", 1));
    enqueue(jobWithoutGang(1, "lab", 4, resources(1, 100, 1, "")));
    assertThat(starts()).containsExactly("1.0[0]");
    start();
    assertThat(starts()).containsExactly("1.1[2]", "1.2[3]");
  }

  @Test
  void neverFits_moreThanTheQuota() {
    setNodes(node("a", 16, 10_000, gpus(4)));
    quota("lab", Quota.UNLIMITED.withCpus(4));
    QueuedJob tooLargeJob = cpus(1, "alice", "lab", 5);
    enqueue(tooLargeJob, cpus(2, "alice", "lab", 4));
    assertThat(planner.explainNeverFits(tooLargeJob).orElseThrow().english())
        .isEqualTo("needs 5 CPUs, the quota of virtual cluster lab is 4");
    assertThat(waitReason(1))
        .isEqualTo(planner.explainNeverFits(tooLargeJob).orElseThrow().english());
    assertThat(starts()).containsExactly("2.0[]");
    assertThat(planner.explainNeverFits(jobWithoutGang(3, "lab", 9, resources(4, 100, 0, ""))))
        .isEmpty();
    assertThat(planner.explainNeverFits(jobWithoutGang(3, "lab", 9, resources(5, 100, 0, ""))))
        .isPresent();
    quota("lab", Quota.UNLIMITED.withCpus(5));
    assertThat(starts()).containsExactly("1.0[]");
  }

  @Test
  void plan_userLimit_blocksOnlyThatUser() {
    setNodes(node("a", 16, 10_000, gpus(4)));
    userLimits(
        Quota.UNLIMITED.withJobs(1),
        Map.of("bob", Quota.UNLIMITED, "carl", Quota.UNLIMITED.withJobs(0)));
    enqueue(
        cpus(1, "alice", "x", 1),
        cpus(2, "alice", "y", 1),
        cpus(3, "bob", "x", 1),
        cpus(4, "bob", "x", 1),
        cpus(5, "carl", "x", 1));
    assertThat(starts()).containsExactly("1.0[]", "3.0[]", "4.0[]");
    start();
    assertThat(waitReason(2)).isEqualTo("alice can run 1 job at a time, and 1 is running");
    assertThat(waitReason(5)).isEqualTo("carl can run 0 jobs at a time");
    userLimits(Quota.UNLIMITED.withCpus(4), Map.of());
    enqueue(cpus(6, "dora", "x", 3), cpus(7, "dora", "x", 2), cpus(8, "dora", "y", 1));
    assertThat(starts()).containsExactly("2.0[]", "5.0[]", "6.0[]");
    assertThat(waitReason(7)).isEqualTo("needs 2 CPUs: dora uses 3 of a limit of 4");
    start();
    assertThat(waitReason(8))
        .isEqualTo("1 earlier job of dora waits because of the limits of dora");
  }

  @Test
  void usage_allJobsRemoved_isEmpty() {
    setNodes(node("a", 16, 10_000, gpus(4)));
    enqueue(job(1, "alice", "lab", resources(2, 100, 2, "")));
    start();
    assertThat(planner.uses().ofUser("alice"))
        .isEqualTo(new ResourceUsage(1, 2, 100, 2, Map.of("a100", 2L)));
    setNodes(node("b", 1, 100, gpus(0)));
    planner.apply(new JobRemoved(id(1)));
    assertThat(planner.uses()).isEqualTo(UsageSnapshot.NONE);
  }

  @Test
  void explain_everyCodeHasText() {
    for (String resource : List.of("devices", "cpus", "memory")) {
      assertThat(Messages.ENGLISH.codes())
          .contains("wait.vc-quota-" + resource, "wait.never-vc-quota-" + resource);
    }
    for (String resource : List.of("jobs", "devices", "cpus", "memory")) {
      assertThat(Messages.ENGLISH.codes())
          .contains("wait.user-limit-" + resource, "wait.never-user-limit-" + resource);
    }
  }

  /**
   * The time limit is far above the time needed and far below the time that examining every job on
   * each call would take.
   */
  @Test
  void plan_longQueueBehindExhaustedQuota() {
    setNodes(node("a", 1000, 1_000_000, gpus(0)));
    quota("lab", Quota.UNLIMITED.withCpus(10));
    int jobs = 10_000;
    for (int i = 1; i <= jobs; i++) {
      enqueue(cpus(i, "user" + i % 100, "lab", 1));
    }
    start();
    Assertions.assertTimeout(
        Duration.ofSeconds(20),
        () -> {
          for (int i = 1; i <= jobs; i++) {
            enqueue(cpus(jobs + i, "bob", "default", 1));
            assertThat(starts()).containsExactly(jobs + i + ".0[]");
            start();
            planner.apply(new JobRemoved(id(jobs + i)));
          }
          for (int i = 1; i <= jobs; i++) {
            planner.apply(new JobRemoved(id(i)));
            start();
          }
        });
    assertThat(planner.uses()).isEqualTo(UsageSnapshot.NONE);
  }
}
