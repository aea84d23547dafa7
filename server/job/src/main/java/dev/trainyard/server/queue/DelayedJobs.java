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
 * Waiting jobs that are temporarily hidden from the planner, because they failed recently or
 * because a port is not available. They do not delay other jobs. Only the queue thread modifies it;
 * other threads may read it.
 */
final class DelayedJobs {
  private final Map<JobId, Delay> delays = new ConcurrentHashMap<>();

  private final Map<NodePort, TreeSet<JobId>> waitingFor = new HashMap<>();

  /** Lower bound of the time at which the next delay expires. */
  private Instant soonest = Instant.MAX;

  /**
   * A delay of one job.
   *
   * @param longest from the start of the delay to {@code until}; the job never waits longer than
   *     this, even if the clock is changed
   * @param why the reason; its parameter {@code seconds} is set to the remaining time
   * @param port the port that the job waits for
   */
  record Delay(
      WaitingJob waiting, Instant until, Duration longest, Message why, Optional<NodePort> port) {
    private Delay limitedAt(Instant now) {
      Instant latest = now.plus(longest);
      return until.isAfter(latest) ? new Delay(waiting, latest, longest, why, port) : this;
    }
  }

  void add(Delay hold) {
    remove(hold.waiting().job().id());
    delays.put(hold.waiting().job().id(), hold);
    hold.port()
        .ifPresent(
            port ->
                waitingFor
                    .computeIfAbsent(port, _ -> new TreeSet<>())
                    .add(hold.waiting().job().id()));
    soonest = soonest.isBefore(hold.until()) ? soonest : hold.until();
  }

  void remove(JobId job) {
    Delay hold = delays.remove(job);
    if (hold != null && hold.port().isPresent()) {
      waitingFor.computeIfPresent(
          hold.port().get(),
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
    Delay hold = delays.get(job);
    return hold == null ? null : hold.waiting();
  }

  int size() {
    return delays.size();
  }

  void each(Consumer<WaitingJob> consumer) {
    delays.values().forEach(hold -> consumer.accept(hold.waiting()));
  }

  /** Returns the time until the next delay may expire; empty if no job is delayed. */
  Optional<Duration> untilNext(Instant now) {
    return delays.isEmpty() ? Optional.empty() : Optional.of(Duration.between(now, soonest));
  }

  /** Removes and returns the jobs whose delay has expired. */
  List<WaitingJob> due(Instant now) {
    return delays.isEmpty() || now.isBefore(soonest) ? List.of() : dueChecked(now);
  }

  /** Like {@link #due}, but always checks all jobs, and corrects for a clock that was set back. */
  List<WaitingJob> dueChecked(Instant now) {
    List<WaitingJob> due = new ArrayList<>();
    soonest = Instant.MAX;
    for (Delay hold : List.copyOf(delays.values())) {
      Delay seen = hold.limitedAt(now);
      if (seen.until().isAfter(now)) {
        delays.put(seen.waiting().job().id(), seen);
        soonest = soonest.isBefore(seen.until()) ? soonest : seen.until();
      } else {
        remove(hold.waiting().job().id());
        due.add(hold.waiting());
      }
    }
    return due;
  }

  /** Removes and returns, for each of these ports, the oldest job that waits for it. */
  List<WaitingJob> portsFreed(Collection<NodePort> ports) {
    List<WaitingJob> first = new ArrayList<>();
    if (!waitingFor.isEmpty()) {
      for (NodePort port : ports) {
        if (waitingFor.containsKey(port)) {
          Delay hold = delays.get(waitingFor.get(port).first());
          remove(hold.waiting().job().id());
          first.add(hold.waiting());
        }
      }
    }
    return first;
  }

  Optional<Message> explain(JobId job, Instant now) {
    return Optional.ofNullable(delays.get(job))
        .map(
            hold ->
                hold.why()
                    .with(
                        "seconds",
                        Math.max(
                            1, Duration.between(now, hold.limitedAt(now).until()).toSeconds())));
  }
}
