package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import dev.trainyard.model.JobState;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.job.JobLists.FoundJobs;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;

/**
 * SQL statements for {@link JobLists}; {@link JobSearchQuery} composes the statements of a search.
 */
final class JobSearchStore {
  private JobSearchStore() {}

  static FoundJobs<Job> jobs(Handle handle, JobSearch search, Caller caller, boolean withTotal) {
    JobSearchQuery query = new JobSearchQuery(handle, search, caller);
    return page(handle, query, withTotal, JobRow.COLUMNS, (rows, _) -> JobRow.job(rows));
  }

  static List<Job> list(Handle handle, JobFilter filter) {
    return new JobListQuery(filter).run(handle);
  }

  static FoundJobs<JobListItem> listItems(
      Handle handle, JobSearch search, Caller caller, boolean withTotal) {
    JobSearchQuery query = new JobSearchQuery(handle, search, caller);
    return page(
        handle, query, withTotal, JobRow.LIST_ITEM_COLUMNS, (rows, _) -> JobRow.listItem(rows));
  }

  private static <J extends JobInfo> FoundJobs<J> page(
      Handle handle, JobSearchQuery query, boolean withTotal, String columns, RowMapper<J> row) {
    List<J> jobs = query.page(handle, columns, row);
    FoundJobs<J> page = new FoundJobs<>(jobs, tags(handle, query, jobs), OptionalLong.empty());
    return withTotal ? page.withTotal(query.total(handle, jobs.size())) : page;
  }

  private static Map<JobId, List<String>> tags(
      Handle handle, JobSearchQuery query, List<? extends JobInfo> jobs) {
    return query.isContiguous() && !jobs.isEmpty()
        ? JobTagStore.between(handle, jobs.getFirst().id(), jobs.getLast().id())
        : JobTagStore.of(handle, jobs);
  }

  static List<JobId> ids(Handle handle, JobSearch search, Caller caller) {
    return new JobSearchQuery(handle, search, caller).ids(handle).stream().map(JobId::new).toList();
  }

  static long count(Handle handle, JobSearch search, Caller caller) {
    return new JobSearchQuery(handle, search, caller).count(handle);
  }

  static FoundJobs<Job> load(Handle handle, List<JobId> ids) {
    Map<JobId, Job> jobsById = new HashMap<>();
    handle
        .createQuery("select " + JobRow.COLUMNS + " from job where id in (<ids>)")
        .bindList("ids", ids.stream().map(JobId::value).toList())
        .map((rows, _) -> JobRow.job(rows))
        .forEach(job -> jobsById.put(job.id(), job));
    List<Job> ordered = ids.stream().map(jobsById::get).filter(Objects::nonNull).toList();
    return new FoundJobs<>(ordered, JobTagStore.of(handle, ordered), OptionalLong.empty());
  }

  static Map<JobState, Long> countByState(Handle handle, String userId) {
    Map<JobState, Long> counts = new EnumMap<>(JobState.class);
    for (JobState state : JobState.values()) {
      counts.put(state, 0L);
    }
    handle
        .createQuery("select state, count(*) from job where user_id = :user group by state")
        .bind("user", userId)
        .map((rows, _) -> Map.entry(JobState.valueOf(rows.getString(1)), rows.getLong(2)))
        .forEach(count -> counts.put(count.getKey(), count.getValue()));
    return counts;
  }
}
