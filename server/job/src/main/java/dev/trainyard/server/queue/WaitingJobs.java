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
 * The jobs that wait: those the planner may choose from, and those that are held back for a while.
 * Changed by the loop only; whoever asks for reasons and numbers may be anybody.
 */
final class WaitingJobs {
  /** How long a job without ports waits, unless one becomes free before. */
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

  /** A job waits: new, or back for another attempt, for which its time may not have come. */
  void enter(QueuedJob job, JobStatus status) {
    WaitingJob waitingJob = WaitingJob.of(job, status);
    Instant now = clock.instant();
    Optional<Instant> notBefore = status.retries().notBefore(now);
    if (notBefore.isPresent() && notBefore.get().isAfter(now)) {
      leave(job.id());
      Message why = Message.of("wait.back-off", "attempt", status.attempt());
      Duration longest = status.retries().backOff();
      delayedJobs.add(
          new DelayedJobs.Hold(waitingJob, notBefore.get(), longest, why, Optional.empty()));
    } else {
      enqueue(waitingJob);
    }
  }

  private void enqueue(WaitingJob waitingJob) {
    delayedJobs.remove(waitingJob.job().id());
    // First, so that a job that has a reason for waiting is also counted as waiting.
    waiting.put(waitingJob.job().id(), waitingJob);
    planner.apply(new QueueEvent.Waiting(waitingJob.job()));
    changed = true;
  }

  /** A job was to start and has no ports there. */
  void hold(WaitingJob waitingJob, PortAllocator.Choice.Missing missing) {
    leave(waitingJob.job().id());
    Instant until = clock.instant().plus(PORT_PAUSE);
    delayedJobs.add(
        new DelayedJobs.Hold(waitingJob, until, PORT_PAUSE, missing.why(), missing.wanted()));
  }

  /** A job neither waits nor holds anything any more. */
  void leave(JobId job) {
    waiting.remove(job);
    delayedJobs.remove(job);
    planner.apply(new QueueEvent.JobRemoved(job));
    changed = true;
  }

  /**
   * Removes a job that was stopped or paused.
   *
   * @param version of the job then; one that was resumed since stays
   */
  void leave(JobId job, long version) {
    WaitingJob waitingJob = waiting.containsKey(job) ? waiting.get(job) : delayedJobs.find(job);
    if (waitingJob == null || waitingJob.version() <= version) {
      leave(job);
    }
  }

  /** A waiting job that starts; null if it does not wait. */
  WaitingJob call(JobId job) {
    return waiting.remove(job);
  }

  /** The machines are others than before, or more of them is free. */
  void machinesChanged() {
    changed = true;
  }

  /** Whether there is reason to plan since this was asked last. */
  boolean planNeeded() {
    boolean needed = changed;
    changed = false;
    return needed;
  }

  /** How long to sleep at most: until then nobody's time comes. */
  Duration rest(Duration atMost) {
    return delayedJobs
        .rest(clock.instant())
        .filter(rest -> rest.compareTo(atMost) < 0)
        .orElse(atMost);
  }

  /** Lets in whose time has come. */
  void requeueDue() {
    delayedJobs.due(clock.instant()).forEach(this::enqueue);
  }

  /** The same, and notices a clock that was set back. */
  void look() {
    delayedJobs.look(clock.instant()).forEach(this::enqueue);
  }

  /** The ports of these tasks are free. */
  void portsFreed(List<Task> tasks) {
    for (Task task : tasks) {
      List<NodePort> ports =
          task.ports().all().stream().map(port -> new NodePort(task.node(), port)).toList();
      delayedJobs.freed(ports).forEach(this::enqueue);
    }
  }

  /** Whether a job waits here. */
  boolean contains(JobId job) {
    return waiting.containsKey(job) || delayedJobs.contains(job);
  }

  int size() {
    return waiting.size() + delayedJobs.size();
  }

  /** Shows every job that waits. */
  void each(Consumer<WaitingJob> consumer) {
    waiting.values().forEach(consumer);
    delayedJobs.each(consumer);
  }

  /** Why each of these waits; those that don't are left out. */
  Map<JobId, Message> explain(Collection<JobId> jobs) {
    Map<JobId, Message> reasons = planner.explain(jobs);
    Instant now = clock.instant();
    jobs.forEach(job -> delayedJobs.explain(job, now).ifPresent(why -> reasons.put(job, why)));
    return watch.addTo(reasons, jobs);
  }
}
