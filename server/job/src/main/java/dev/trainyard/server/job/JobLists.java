package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;

/** Lists of jobs by arbitrary criteria. Thread-safe. */
public final class JobLists {
  private final Db db;

  public JobLists(Db db) {
    this.db = db;
  }

  /**
   * A page of a list.
   *
   * @param tags of the jobs that have any
   * @param total number of matching jobs, if requested
   */
  public record Found<J extends JobInfo>(
      List<J> jobs, Map<JobId, List<String>> tags, OptionalLong total) {
    Found<J> of(long all) {
      return new Found<>(jobs, tags, OptionalLong.of(all));
    }
  }

  /** Searches the jobs that the caller may see. */
  public Found<Job> search(Caller caller, JobSearch search) {
    return search(caller, search, JobRow.COLUMNS, (rows, _) -> JobRow.job(rows));
  }

  /** Returns the IDs of a page of a list, in its order. */
  List<JobId> ids(Caller caller, JobSearch search) {
    return db.read(
        handle ->
            new JobSearchQuery(handle, search, caller)
                .ids(handle).stream().map(JobId::new).toList());
  }

  /** Reads these jobs, in this order; omits deleted jobs. */
  Found<Job> load(List<JobId> ids) {
    return db.read(
        handle -> {
          Map<JobId, Job> found = new HashMap<>();
          handle
              .createQuery("select " + JobRow.COLUMNS + " from job where id in (<ids>)")
              .bindList("ids", ids.stream().map(JobId::value).toList())
              .map((rows, _) -> JobRow.job(rows))
              .forEach(job -> found.put(job.id(), job));
          List<Job> ordered = ids.stream().map(found::get).filter(Objects::nonNull).toList();
          return new Found<>(ordered, JobTags.of(handle, ordered), OptionalLong.empty());
        });
  }

  /** Like {@link #search}, but reads fewer columns, for long lists. */
  public Found<JobListItem> lines(Caller caller, JobSearch search) {
    return search(caller, search, JobRow.LINE_COLUMNS, (rows, _) -> JobRow.line(rows));
  }

  private <J extends JobInfo> Found<J> search(
      Caller caller, JobSearch search, String columns, RowMapper<J> row) {
    if (search.counted() && !search.keyword().isEmpty()) {
      return countedBeside(caller, search, columns, row);
    }
    return db.read(
        handle -> {
          JobSearchQuery query = new JobSearchQuery(handle, search, caller);
          Found<J> page = page(handle, query, columns, row);
          return search.counted()
              ? page.of(total(query, search, page.jobs().size(), handle))
              : page;
        });
  }

  /** Runs the page and the count in parallel, because with a keyword both scan every job. */
  private <J extends JobInfo> Found<J> countedBeside(
      Caller caller, JobSearch search, String columns, RowMapper<J> row) {
    CompletableFuture<Long> count =
        CompletableFuture.supplyAsync(
            () -> db.read(handle -> new JobSearchQuery(handle, search, caller).count(handle)),
            Thread::startVirtualThread);
    Found<J> page =
        db.read(handle -> page(handle, new JobSearchQuery(handle, search, caller), columns, row));
    return page.of(count.join());
  }

  private static <J extends JobInfo> Found<J> page(
      Handle handle, JobSearchQuery query, String columns, RowMapper<J> row) {
    List<J> jobs = query.page(handle, columns, row);
    return new Found<>(jobs, tags(handle, query, jobs), OptionalLong.empty());
  }

  private static Map<JobId, List<String>> tags(
      Handle handle, JobSearchQuery query, List<? extends JobInfo> jobs) {
    return query.isUnbroken() && !jobs.isEmpty()
        ? JobTags.between(handle, jobs.getFirst().id(), jobs.getLast().id())
        : JobTags.of(handle, jobs);
  }

  /**
   * Returns the total. If this is the last page, the total follows from it without another scan.
   */
  private static long total(JobSearchQuery query, JobSearch search, int found, Handle handle) {
    boolean last = found < search.limit() && (found > 0 || search.offset() == 0);
    return last ? (long) search.offset() + found : query.count(handle);
  }
}
