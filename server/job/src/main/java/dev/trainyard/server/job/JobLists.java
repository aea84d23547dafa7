package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import dev.trainyard.model.JobState;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.work.WorkPool;
import dev.trainyard.server.work.WorkPools;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Lists jobs by arbitrary criteria. Thread-safe. */
public final class JobLists {
  private final Db db;

  public JobLists(Db db) {
    this.db = db;
  }

  /**
   * A page of a list.
   *
   * @param tags tags by job; contains only jobs that have tags
   * @param total number of matching jobs, if requested
   */
  public record FoundJobs<J extends JobInfo>(
      List<J> jobs, Map<JobId, List<String>> tags, OptionalLong total) {
    FoundJobs<J> withTotal(long newTotal) {
      return new FoundJobs<>(jobs, tags, OptionalLong.of(newTotal));
    }
  }

  /** Reads a page of a search, with the total number of matching jobs if the total is requested. */
  private interface PageReader<J extends JobInfo> {
    FoundJobs<J> read(Handle handle, JobSearch search, Caller caller, boolean withTotal);
  }

  /** Searches the jobs that the caller may see. */
  public FoundJobs<Job> search(Caller caller, JobSearch search) {
    return search(caller, search, JobSearchStore::jobs);
  }

  /** Like {@link #search}, but reads fewer columns, for long lists. */
  public FoundJobs<JobListItem> listItems(Caller caller, JobSearch search) {
    return search(caller, search, JobSearchStore::listItems);
  }

  /** Returns the IDs of a page of a list, in the order of the list. */
  List<JobId> ids(Caller caller, JobSearch search) {
    return db.read(handle -> JobSearchStore.ids(handle, search, caller));
  }

  /** Reads these jobs, in this order; omits deleted jobs. */
  FoundJobs<Job> load(List<JobId> ids) {
    return db.read(handle -> JobSearchStore.load(handle, ids));
  }

  /** Returns the jobs with these IDs in any order; omits deleted jobs. */
  public List<Job> findAll(Collection<JobId> ids) {
    return db.read(handle -> JobStore.findAll(handle, ids));
  }

  /**
   * Returns the IDs of the current or next runs of all individually retried tasks of these jobs.
   */
  public Set<TaskId> retriedTasks(Collection<JobId> ids) {
    return db.read(handle -> PreviousRunStore.currentRuns(handle, ids));
  }

  /** Returns the number of a user's jobs in each state. */
  public Map<JobState, Long> countByState(String userId) {
    return db.read(handle -> JobSearchStore.countByState(handle, userId));
  }

  /**
   * Returns the newest jobs of a user, newest first; without jobs of an earlier user of the same
   * name, and without jobs that other users share.
   */
  public List<Job> newestOf(String userId, int limit) {
    JobFilter filter =
        new JobFilter(Optional.of(List.of(userId)), Set.of(), "", Optional.empty(), limit);
    return db.read(handle -> JobSearchStore.list(handle, filter));
  }

  private <J extends JobInfo> FoundJobs<J> search(
      Caller caller, JobSearch search, PageReader<J> pageReader) {
    return search.withTotal() && !search.keyword().isEmpty()
        ? pageAndCount(caller, search, pageReader)
        : db.read(handle -> pageReader.read(handle, search, caller, search.withTotal()));
  }

  /**
   * Runs the queries for the page and for the total in parallel, because with a keyword both
   * queries scan every job.
   */
  private <J extends JobInfo> FoundJobs<J> pageAndCount(
      Caller caller, JobSearch search, PageReader<J> pageReader) {
    WorkPool.StartedWork<Long> count =
        WorkPools.COUNTING.start(
            () -> db.read(handle -> JobSearchStore.count(handle, search, caller)));
    FoundJobs<J> page;
    try {
      page = db.read(handle -> pageReader.read(handle, search, caller, false));
    } catch (RuntimeException | Error e) {
      count.cancel();
      throw e;
    }
    return page.withTotal(count.await());
  }
}
