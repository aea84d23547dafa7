package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Lists of jobs by whatever people look for. Thread-safe. */
public final class JobLists {
  private final Db db;

  public JobLists(Db db) {
    this.db = db;
  }

  /**
   * A part of a list.
   *
   * @param tags of those jobs that have any
   * @param total of all that match, if that was asked
   */
  public record Found(List<Job> jobs, Map<JobId, List<String>> tags, OptionalLong total) {}

  /** Only of jobs that the caller may see. */
  public Found search(Caller caller, JobSearch search) {
    Optional<String> owner = caller.admin() ? Optional.empty() : Optional.of(caller.userId());
    return db.read(
        handle -> {
          JobSearchQuery query = new JobSearchQuery(search, owner);
          List<Job> jobs = query.page(handle);
          OptionalLong total =
              search.counted() ? OptionalLong.of(query.count(handle)) : OptionalLong.empty();
          return new Found(jobs, JobTags.of(handle, jobs), total);
        });
  }
}
