package dev.trainyard.server.queue;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import dev.trainyard.scheduler.QueueEvent;
import dev.trainyard.scheduler.QueuedJob;
import dev.trainyard.server.job.JobStatus;
import dev.trainyard.server.job.Task;
import dev.trainyard.server.queue.PortStore.NodePort;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The waiting jobs: jobs that the planner may choose from, and jobs that are temporarily delayed.
 * Only the queue thread may modify this object; any thread may read reasons and counts.
 */
final class WaitingJobs {
  /** Maximum time that a job waits for ports before it is planned again. */
  private static final Duration PORT_PAUSE = Duration.ofSeconds(15);

  private final SynchronizedPlanner planner;
  private final EngineWatch watch;
  private final InstantSource clock;
  private final Map<JobId, WaitingJob> waiting = new ConcurrentHashMap<>();
  private final DelayedJobs delayedJobs = new DelayedJobs();
  private boolean changed = true;

  WaitingJobs(SynchronizedPlanner planner, EngineWatch watch, InstantSource clock) {
    this.planner = planner;
    this.watch = watch;
    this.clock = clock;
  }

  /**
   * Adds a new job, or a job that waits for another attempt. The job is delayed if its backoff has
   * not expired.
   */
  void add(QueuedJob job, JobStatus status) {
    WaitingJob waitingJob = WaitingJob.of(job, status);
    Instant now = clock.instant();
    Optional<Instant> notBefore = status.retries().notBefore(now);
    if (notBefore.isPresent() && notBefore.get().isAfter(now)) {
      remove(job.id());
      Message reason =
          status
              .reason()
              .map(cause -> Message.of("wait.back-off-cause", "cause", cause))
              .orElse(Message.of("wait.back-off"))
              .with("attempt", status.attempt());
      Duration longest = status.retries().backOff();
      delayedJobs.add(
          new DelayedJobs.Delay(waitingJob, notBefore.get(), longest, reason, Optional.empty()));
    } else {
      enqueue(waitingJob);
    }
  }

  private void enqueue(WaitingJob waitingJob) {
    delayedJobs.remove(waitingJob.job().id());
    // Added before the planner is notified, so that a job that has a wait reason is also counted as
    // waiting.
    waiting.put(waitingJob.job().id(), waitingJob);
    planner.apply(new QueueEvent.JobQueued(waitingJob.job()));
    changed = true;
  }

  /** Delays a job that was about to start but lacks ports on its node. */
  void delay(WaitingJob waitingJob, PortAllocator.Choice.Missing missing) {
    remove(waitingJob.job().id());
    Instant until = clock.instant().plus(PORT_PAUSE);
    delayedJobs.add(
        new DelayedJobs.Delay(
            waitingJob, until, PORT_PAUSE, missing.reason(), missing.requestedPort()));
  }

  /** Removes a job that neither waits nor holds resources any more. */
  void remove(JobId job) {
    waiting.remove(job);
    delayedJobs.remove(job);
    planner.apply(new QueueEvent.JobRemoved(job));
    changed = true;
  }

  /**
   * Removes a job that was stopped or paused.
   *
   * @param version version of the job when it was stopped or paused; a job that was resumed
   *     afterwards is kept
   */
  void remove(JobId job, long version) {
    WaitingJob waitingJob = waiting.containsKey(job) ? waiting.get(job) : delayedJobs.find(job);
    if (waitingJob == null || waitingJob.version() <= version) {
      remove(job);
    }
  }

  /** Removes and returns a waiting job that is about to start; null if the job is not waiting. */
  WaitingJob take(JobId job) {
    return waiting.remove(job);
  }

  /** Must be called when nodes have changed or resources were released; triggers a plan. */
  void resourcesChanged() {
    changed = true;
  }

  /** Returns whether a plan is needed, and resets this flag. */
  boolean planNeeded() {
    boolean needed = changed;
    changed = false;
    return needed;
  }

  /** Returns the time until the next delay may expire, but at most {@code atMost}. */
  Duration untilNext(Duration atMost) {
    return delayedJobs
        .untilNext(clock.instant())
        .filter(remaining -> remaining.compareTo(atMost) < 0)
        .orElse(atMost);
  }

  /** Requeues the jobs whose delay has expired. */
  void requeueDue() {
    delayedJobs.due(clock.instant()).forEach(this::enqueue);
  }

  /** Like {@link #requeueDue}, but also corrects for a clock that was set back. */
  void requeueDueChecked() {
    delayedJobs.dueChecked(clock.instant()).forEach(this::enqueue);
  }

  /** Requeues jobs that were waiting for the released ports of these tasks. */
  void portsFreed(List<Task> tasks) {
    for (Task task : tasks) {
      List<NodePort> ports =
          task.ports().all().stream().map(port -> new NodePort(task.node(), port)).toList();
      delayedJobs.portsFreed(ports).forEach(this::enqueue);
    }
  }

  /** Returns whether a job is waiting. */
  boolean contains(JobId job) {
    return waiting.containsKey(job) || delayedJobs.contains(job);
  }

  int size() {
    return waiting.size() + delayedJobs.size();
  }

  /** Passes every waiting job to the consumer. */
  void forEach(Consumer<WaitingJob> consumer) {
    waiting.values().forEach(consumer);
    delayedJobs.forEach(consumer);
  }

  /** Returns the wait reason of each of these jobs; omits jobs that do not wait. */
  Map<JobId, Message> explain(Collection<JobId> jobs) {
    Map<JobId, Message> reasons = planner.explain(jobs);
    Instant now = clock.instant();
    jobs.forEach(
        job -> delayedJobs.explain(job, now).ifPresent(reason -> reasons.put(job, reason)));
    return watch.addTo(reasons, jobs);
  }
}
