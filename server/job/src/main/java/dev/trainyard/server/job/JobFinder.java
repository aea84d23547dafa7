package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.http.Caller;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Finds a job by the reference that a caller gives. */
final class JobFinder {
  private final JobStore jobs;

  JobFinder(JobStore jobs) {
    this.jobs = jobs;
  }

  /**
   * Finds a job that the caller may view, by ID, by {@code user~name} or, if the caller owns it, by
   * {@code name}.
   */
  Optional<Job> find(Handle handle, Caller caller, String reference) {
    int tilde = reference.indexOf('~');
    if (tilde >= 0) {
      String name = reference.substring(tilde + 1);
      return jobs.ownersNamed(handle, reference.substring(0, tilde)).stream()
          .flatMap(owner -> jobs.findByName(handle, owner, name).stream())
          .filter(job -> mayView(handle, caller, job))
          .findFirst();
    }
    Optional<Job> byId =
        Ulid.isValid(reference)
            ? jobs.find(handle, new JobId(reference)).filter(job -> mayView(handle, caller, job))
            : Optional.empty();
    return byId.or(() -> jobs.findByName(handle, caller.userId(), reference));
  }

  /**
   * Returns whether the caller may view a job. A job that the caller may not view is reported as
   * not found.
   */
  static boolean mayView(Handle handle, Caller caller, Job job) {
    return JobService.mayUse(caller, job)
        || SharedJobOwnerStore.areShared(handle, caller.userId(), job.userId());
  }
}
