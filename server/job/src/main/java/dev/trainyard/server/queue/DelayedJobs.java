package dev.trainyard.server.queue;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import dev.trainyard.server.queue.PortStore.NodePort;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Waiting jobs that are temporarily hidden from the planner, because of a recent failure of the job
 * or an unavailable port. Delayed jobs do not delay other jobs. Only the queue thread may modify
 * this object; other threads may read it.
 */
final class DelayedJobs {
  private final Map<JobId, Delay> delays = new ConcurrentHashMap<>();

  private final Map<NodePort, TreeSet<JobId>> jobsByPort = new HashMap<>();

  /** Lower bound of the time at which the next delay expires. */
  private Instant nextExpiry = Instant.MAX;

  /**
   * A delay of one job.
   *
   * @param maxDuration time from the start of the delay to {@code until}; the job never waits
   *     longer than this, even if the clock is changed
   * @param reason the reason for the delay; its parameter {@code seconds} is set to the remaining
   *     time
   * @param port the port that the job waits for, if any
   */
  record Delay(
      WaitingJob waiting,
      Instant until,
      Duration maxDuration,
      Message reason,
      Optional<NodePort> port) {
    private Delay limitedAt(Instant now) {
      Instant latest = now.plus(maxDuration);
      return until.isAfter(latest) ? new Delay(waiting, latest, maxDuration, reason, port) : this;
    }
  }

  void add(Delay delay) {
    remove(delay.waiting().job().id());
    delays.put(delay.waiting().job().id(), delay);
    delay
        .port()
        .ifPresent(
            port ->
                jobsByPort
                    .computeIfAbsent(port, _ -> new TreeSet<>())
                    .add(delay.waiting().job().id()));
    nextExpiry = nextExpiry.isBefore(delay.until()) ? nextExpiry : delay.until();
  }

  void remove(JobId job) {
    Delay delay = delays.remove(job);
    if (delay != null && delay.port().isPresent()) {
      jobsByPort.computeIfPresent(
          delay.port().get(),
          (_, jobs) -> {
            jobs.remove(job);
            return jobs.isEmpty() ? null : jobs;
          });
    }
  }

  boolean contains(JobId job) {
    return delays.containsKey(job);
  }

  /** Returns a delayed job; null if the job is not delayed. */
  WaitingJob find(JobId job) {
    Delay delay = delays.get(job);
    return delay == null ? null : delay.waiting();
  }

  int size() {
    return delays.size();
  }

  void forEach(Consumer<WaitingJob> consumer) {
    delays.values().forEach(delay -> consumer.accept(delay.waiting()));
  }

  /** Returns the time until the next delay may expire; empty if no job is delayed. */
  Optional<Duration> untilNext(Instant now) {
    return delays.isEmpty() ? Optional.empty() : Optional.of(Duration.between(now, nextExpiry));
  }

  /** Removes and returns the jobs whose delay has expired. */
  List<WaitingJob> due(Instant now) {
    return delays.isEmpty() || now.isBefore(nextExpiry) ? List.of() : dueChecked(now);
  }

  /** Like {@link #due}, but always checks all jobs, and corrects for a clock that was set back. */
  List<WaitingJob> dueChecked(Instant now) {
    List<WaitingJob> due = new ArrayList<>();
    nextExpiry = Instant.MAX;
    for (Delay delay : List.copyOf(delays.values())) {
      Delay limited = delay.limitedAt(now);
      if (limited.until().isAfter(now)) {
        delays.put(limited.waiting().job().id(), limited);
        nextExpiry = nextExpiry.isBefore(limited.until()) ? nextExpiry : limited.until();
      } else {
        remove(delay.waiting().job().id());
        due.add(delay.waiting());
      }
    }
    return due;
  }

  /** Removes and returns, for each of these ports, the oldest job that waits for the port. */
  List<WaitingJob> portsFreed(Collection<NodePort> ports) {
    List<WaitingJob> freedJobs = new ArrayList<>();
    if (!jobsByPort.isEmpty()) {
      for (NodePort port : ports) {
        if (jobsByPort.containsKey(port)) {
          Delay delay = delays.get(jobsByPort.get(port).first());
          remove(delay.waiting().job().id());
          freedJobs.add(delay.waiting());
        }
      }
    }
    return freedJobs;
  }

  Optional<Message> explain(JobId job, Instant now) {
    return Optional.ofNullable(delays.get(job))
        .map(
            delay ->
                delay
                    .reason()
                    .with(
                        "seconds",
                        Math.max(
                            1, Duration.between(now, delay.limitedAt(now).until()).toSeconds())));
  }
}
