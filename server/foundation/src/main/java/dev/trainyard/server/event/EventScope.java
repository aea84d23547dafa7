package dev.trainyard.server.event;

import dev.trainyard.model.JobId;
import dev.trainyard.server.http.Caller;
import java.util.Optional;

/**
 * The set of events that a client gets.
 *
 * @param owner only events of jobs of this user; empty for all users
 * @param job only events of this job; the caller must have checked that it is visible
 */
public record EventScope(Optional<String> owner, Optional<JobId> job) {
  static final EventScope ALL = new EventScope(Optional.empty(), Optional.empty());

  /** Returns all events that a caller may see, by the same rule as for jobs. */
  public static EventScope of(Caller caller, Optional<JobId> job) {
    boolean unrestricted = caller.admin() || job.isPresent();
    return new EventScope(unrestricted ? Optional.empty() : Optional.of(caller.userId()), job);
  }

  boolean contains(Event event) {
    return owner.map(event.details().userId()::equals).orElse(true)
        && job.map(event.details().job()::equals).orElse(true);
  }
}
