package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** SQL statements for {@link JobTags}. */
final class JobTagStore {
  /** Maximum number of IDs per query. Every supported database permits this number. */
  private static final int IDS_PER_QUERY = 500;

  private JobTagStore() {}

  /** Returns the tags of these jobs; omits jobs without tags. */
  static Map<JobId, List<String>> of(Handle handle, List<? extends JobInfo> jobs) {
    Map<JobId, List<String>> tags = new HashMap<>();
    for (int from = 0; from < jobs.size(); from += IDS_PER_QUERY) {
      List<String> ids =
          jobs.subList(from, Math.min(jobs.size(), from + IDS_PER_QUERY)).stream()
              .map(job -> job.id().value())
              .toList();
      String sql = "select job_id, tag from job_tag where job_id in (<ids>) order by tag";
      collect(handle.createQuery(sql).bindList("ids", ids), tags);
    }
    return tags;
  }

  /**
   * Returns the tags of all jobs from one job to another, in either order. Needs only one query,
   * even for a long list.
   */
  static Map<JobId, List<String>> between(Handle handle, JobId first, JobId last) {
    boolean ascending = first.compareTo(last) < 0;
    Map<JobId, List<String>> tags = new HashMap<>();
    collect(
        handle
            .createQuery(
                """
                select job_id, tag from job_tag where job_id >= :oldest and job_id <= :newest \
                order by job_id, tag\
                """)
            .bind("oldest", (ascending ? first : last).value())
            .bind("newest", (ascending ? last : first).value()),
        tags);
    return tags;
  }

  private static void collect(Query query, Map<JobId, List<String>> tags) {
    query
        .map((rows, _) -> Map.entry(new JobId(rows.getString(1)), rows.getString(2)))
        .forEach(
            row -> tags.computeIfAbsent(row.getKey(), _ -> new ArrayList<>()).add(row.getValue()));
  }

  /** Adds a tag; returns false if the job does not exist or already has the tag. */
  static boolean insert(Handle handle, JobId job, String tag) {
    return handle
            .createUpdate(
                """
                insert into job_tag (job_id, tag) \
                select id, :tag from job where id = :job on conflict do nothing\
                """)
            .bind("job", job.value())
            .bind("tag", tag)
            .execute()
        == 1;
  }

  /** Removes a tag; returns false if the job did not have the tag. */
  static boolean delete(Handle handle, JobId job, String tag) {
    return handle.execute("delete from job_tag where job_id = ? and tag = ?", job.value(), tag)
        == 1;
  }
}
