package dev.trainyard.server.event;

import dev.trainyard.model.JobId;
import dev.trainyard.server.http.Caller;
import java.util.Optional;

/**
 * Which events somebody gets.
 *
 * @param owner only of jobs of this user; empty for everybody's
 * @param job only of this job; whoever names it has checked that it may be seen
 */
public record EventScope(Optional<String> owner, Optional<JobId> job) {
  static final EventScope ALL = new EventScope(Optional.empty(), Optional.empty());

  /** All that a caller may see: the same rule as for jobs. */
  public static EventScope of(Caller caller, Optional<JobId> job) {
    boolean any = caller.admin() || job.isPresent();
    return new EventScope(any ? Optional.empty() : Optional.of(caller.userId()), job);
  }

  boolean contains(Event event) {
    return owner.map(event.what().userId()::equals).orElse(true)
        && job.map(event.what().job()::equals).orElse(true);
  }
}
