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
 * Waiting jobs that the planner is not to see for a while: because they failed a moment ago, or
 * because a port is missing. They hold up nobody. Changed by the loop only, but may be looked at by
 * others.
 */
final class DelayedJobs {
  private final Map<JobId, Hold> held = new ConcurrentHashMap<>();

  private final Map<NodePort, TreeSet<JobId>> waitingFor = new HashMap<>();

  /** No hold is due before this. */
  private Instant soonest = Instant.MAX;

  /**
   * @param longest from the beginning to {@code until}; never waited longer, however the clock is
   *     set
   * @param why what keeps it; a slot {@code seconds} is the time that is left
   * @param port that it waits for
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

  /** Returns a job that is held; null if it is not. */
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

  /** How long nothing is due, if anything is held. */
  Optional<Duration> rest(Instant now) {
    return held.isEmpty() ? Optional.empty() : Optional.of(Duration.between(now, soonest));
  }

  /** Takes out what has waited long enough. */
  List<WaitingJob> due(Instant now) {
    return held.isEmpty() || now.isBefore(soonest) ? List.of() : look(now);
  }

  /** The same, and notices a clock that was set back. */
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

  /** Takes out who came first of those that wait for each of these ports. */
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
