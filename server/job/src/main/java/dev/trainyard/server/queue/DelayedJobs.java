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
  private final Map<JobId, Hold> held = new ConcurrentHashMap<>();

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
  record Hold(
      WaitingJob waiting, Instant until, Duration longest, Message why, Optional<NodePort> port) {
    private Hold seenFrom(Instant now) {
      Instant latest = now.plus(longest);
      return until.isAfter(latest) ? new Hold(waiting, latest, longest, why, port) : this;
    }
  }

  void add(Hold hold) {
    remove(hold.waiting().job().id());
    held.put(hold.waiting().job().id(), hold);
    hold.port()
        .ifPresent(
            port ->
                waitingFor
                    .computeIfAbsent(port, _ -> new TreeSet<>())
                    .add(hold.waiting().job().id()));
    soonest = soonest.isBefore(hold.until()) ? soonest : hold.until();
  }

  void remove(JobId job) {
    Hold hold = held.remove(job);
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
    return held.containsKey(job);
  }

  /** Returns a delayed job; null if the job is not delayed. */
  WaitingJob find(JobId job) {
    Hold hold = held.get(job);
    return hold == null ? null : hold.waiting();
  }

  int size() {
    return held.size();
  }

  void each(Consumer<WaitingJob> consumer) {
    held.values().forEach(hold -> consumer.accept(hold.waiting()));
  }

  /** Returns the time until the next delay may expire; empty if no job is delayed. */
  Optional<Duration> rest(Instant now) {
    return held.isEmpty() ? Optional.empty() : Optional.of(Duration.between(now, soonest));
  }

  /** Removes and returns the jobs whose delay has expired. */
  List<WaitingJob> due(Instant now) {
    return held.isEmpty() || now.isBefore(soonest) ? List.of() : look(now);
  }

  /** Like {@link #due}, but always checks all jobs, and corrects for a clock that was set back. */
  List<WaitingJob> look(Instant now) {
    List<WaitingJob> due = new ArrayList<>();
    soonest = Instant.MAX;
    for (Hold hold : List.copyOf(held.values())) {
      Hold seen = hold.seenFrom(now);
      if (seen.until().isAfter(now)) {
        held.put(seen.waiting().job().id(), seen);
        soonest = soonest.isBefore(seen.until()) ? soonest : seen.until();
      } else {
        remove(hold.waiting().job().id());
        due.add(hold.waiting());
      }
    }
    return due;
  }

  /** Removes and returns, for each of these ports, the oldest job that waits for it. */
  List<WaitingJob> freed(Collection<NodePort> ports) {
    List<WaitingJob> first = new ArrayList<>();
    if (!waitingFor.isEmpty()) {
      for (NodePort port : ports) {
        if (waitingFor.containsKey(port)) {
          Hold hold = held.get(waitingFor.get(port).first());
          remove(hold.waiting().job().id());
          first.add(hold.waiting());
        }
      }
    }
    return first;
  }

  Optional<Message> explain(JobId job, Instant now) {
    return Optional.ofNullable(held.get(job))
        .map(
            hold ->
                hold.why()
                    .with(
                        "seconds",
                        Math.max(
                            1, Duration.between(now, hold.seenFrom(now).until()).toSeconds())));
  }
}
