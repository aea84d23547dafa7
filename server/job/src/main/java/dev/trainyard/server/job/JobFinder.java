package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.http.Caller;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** Finds jobs by references that callers specify. */
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
   * Like {@link #find}, for up to 500 references. Runs a few queries for each owner in the
   * references.
   *
   * @return the jobs that were found, by reference
   */
  Map<String, Job> findAll(Handle handle, Caller caller, Collection<String> references) {
    Map<String, Job> found = new HashMap<>();
    Map<String, Boolean> sharesByOwner = new HashMap<>();
    Predicate<Job> mayView =
        job ->
            JobService.mayUse(caller, job)
                || sharesByOwner.computeIfAbsent(
                    job.userId(), owner -> mayView(handle, caller, job));
    Map<Boolean, List<String>> byOwner =
        references.stream().collect(Collectors.partitioningBy(text -> text.indexOf('~') >= 0));
    List<JobId> ids = byOwner.get(false).stream().filter(Ulid::isValid).map(JobId::new).toList();
    JobStore.findAll(handle, ids).stream()
        .filter(mayView)
        .forEach(job -> found.put(job.id().value(), job));
    List<String> ownNames =
        byOwner.get(false).stream().filter(name -> !found.containsKey(name)).toList();
    jobs.findByNames(handle, caller.userId(), ownNames).forEach(job -> found.put(job.name(), job));
    byOwner.get(true).stream()
        .collect(Collectors.groupingBy(text -> text.substring(0, text.indexOf('~'))))
        .forEach(
            (userName, named) ->
                findOf(handle, userName, named, mayView)
                    .forEach((name, job) -> found.put(userName + "~" + name, job)));
    return found;
  }

  /**
   * Returns the jobs of all users who have or had this user name, by job name. If several of these
   * users have a job of the same name, returns the job of the newest user.
   */
  private Map<String, Job> findOf(
      Handle handle, String userName, List<String> references, Predicate<Job> mayView) {
    List<String> names =
        references.stream().map(text -> text.substring(userName.length() + 1)).toList();
    Map<String, Job> found = new HashMap<>();
    for (String owner : jobs.ownersNamed(handle, userName)) {
      jobs.findByNames(handle, owner, names).stream()
          .filter(mayView)
          .forEach(job -> found.putIfAbsent(job.name(), job));
    }
    return found;
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
