package dev.trainyard.server.event;

import dev.trainyard.model.JobId;
import dev.trainyard.server.http.Caller;
import java.util.Optional;

/**
 * The set of events that a client may receive.
 *
 * @param owner only events of jobs of this user; empty for all users
 * @param job only events of this job, which must be visible to the client; empty for all jobs
 */
public record EventScope(Optional<String> owner, Optional<JobId> job) {
  static final EventScope ALL = new EventScope(Optional.empty(), Optional.empty());

  /**
   * Returns the scope with all events that a caller may see: an administrator may see the events of
   * all jobs, a user those of the user's own jobs. The access of the caller to {@code job} must
   * already have been checked.
   */
  public static EventScope of(Caller caller, Optional<JobId> job) {
    boolean unrestricted = caller.admin() || job.isPresent();
    return new EventScope(unrestricted ? Optional.empty() : Optional.of(caller.userId()), job);
  }

  boolean contains(Event event) {
    return owner.map(event.details().userId()::equals).orElse(true)
        && job.map(event.details().job()::equals).orElse(true);
  }
}
