package dev.trainyard.server.job;

import dev.trainyard.server.http.Caller;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The jobs of a batch request, which are read together. */
final class NamedJobs {
  private final Caller caller;
  private final Collection<String> references;
  private final Map<String, Job> found;

  private NamedJobs(Caller caller, Collection<String> references, Map<String, Job> found) {
    this.caller = caller;
    this.references = references;
    this.found = found;
  }

  /**
   * @param references at most 500 references to jobs
   */
  static NamedJobs find(JobService service, Caller caller, Collection<String> references) {
    return new NamedJobs(caller, references, service.findAll(caller, references));
  }

  /**
   * Returns the job with a reference; throws if the job is not found or the caller may not modify
   * it.
   */
  Job load(String reference) {
    Job job = found.get(reference);
    if (job == null) {
      throw JobService.notFound(reference);
    }
    return JobService.requireUse(caller, job);
  }

  /** Returns all jobs that the caller may modify, each once, in the order of the references. */
  List<Job> loadable() {
    return List.copyOf(
        new LinkedHashSet<>(
            references.stream()
                .map(found::get)
                .filter(Objects::nonNull)
                .filter(job -> JobService.mayUse(caller, job))
                .toList()));
  }
}
