package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** The words that are put on jobs. Thread-safe. */
public final class JobTags {
  /** More are no help to anybody. */
  public static final int MOST = 100;

  public static final int LONGEST = 255;

  /** So many ids in one query are understood by every database. */
  private static final int AT_ONCE = 500;

  private final Db db;
  private final Audit audit;

  public JobTags(Db db, InstantSource clock) {
    this.db = db;
    this.audit = new Audit(clock);
  }

  /** A list of tags in an address is separated by commas. */
  public static boolean isTag(String text) {
    return !text.isBlank()
        && text.length() <= LONGEST
        && text.indexOf(',') < 0
        && text.chars().noneMatch(Character::isISOControl);
  }

  public List<String> of(Job job) {
    return db.read(handle -> of(handle, List.of(job))).getOrDefault(job.id(), List.of());
  }

  /** Of those that have any. */
  Map<JobId, List<String>> of(List<Job> jobs) {
    return db.read(handle -> of(handle, jobs));
  }

  static Map<JobId, List<String>> of(Handle handle, List<? extends JobOutline> jobs) {
    Map<JobId, List<String>> tags = new HashMap<>();
    for (int from = 0; from < jobs.size(); from += AT_ONCE) {
      List<String> ids =
          jobs.subList(from, Math.min(jobs.size(), from + AT_ONCE)).stream()
              .map(job -> job.id().value())
              .toList();
      String sql = "select job_id, tag from job_tag where job_id in (<ids>) order by tag";
      collect(handle.createQuery(sql).bindList("ids", ids), tags);
    }
    return tags;
  }

  /** Of all jobs from one to the other, whichever is older: a single look for a long list. */
  static Map<JobId, List<String>> between(Handle handle, JobId one, JobId other) {
    boolean ascending = one.compareTo(other) < 0;
    Map<JobId, List<String>> tags = new HashMap<>();
    collect(
        handle
            .createQuery(
                """
                select job_id, tag from job_tag where job_id >= :oldest and job_id <= :newest \
                order by job_id, tag\
                """)
            .bind("oldest", (ascending ? one : other).value())
            .bind("newest", (ascending ? other : one).value()),
        tags);
    return tags;
  }

  private static void collect(Query query, Map<JobId, List<String>> tags) {
    query
        .map((rows, _) -> Map.entry(new JobId(rows.getString(1)), rows.getString(2)))
        .forEach(
            row -> tags.computeIfAbsent(row.getKey(), _ -> new ArrayList<>()).add(row.getValue()));
  }

  /** False if the job is gone or has so many already; true also if it has this one. */
  public boolean add(Caller caller, Job job, String tag) {
    return db.write(
        handle -> {
          List<String> present = of(handle, List.of(job)).getOrDefault(job.id(), List.of());
          if (present.contains(tag)) {
            return true;
          }
          boolean added = present.size() < MOST && insert(handle, job, tag);
          if (added) {
            record(handle, caller, "job.tag", job, Map.of(), Map.of("tag", tag));
          }
          return added;
        });
  }

  private static boolean insert(Handle handle, Job job, String tag) {
    return handle
            .createUpdate(
                """
                insert into job_tag (job_id, tag) \
                select id, :tag from job where id = :job on conflict do nothing\
                """)
            .bind("job", job.id().value())
            .bind("tag", tag)
            .execute()
        == 1;
  }

  /** False if the job had no such tag. */
  public boolean remove(Caller caller, Job job, String tag) {
    return db.write(
        handle -> {
          String sql = "delete from job_tag where job_id = ? and tag = ?";
          boolean removed = handle.execute(sql, job.id().value(), tag) == 1;
          if (removed) {
            record(handle, caller, "job.untag", job, Map.of("tag", tag), Map.of());
          }
          return removed;
        });
  }

  private void record(
      Handle handle,
      Caller caller,
      String action,
      Job job,
      Map<String, ?> before,
      Map<String, ?> after) {
    String target = JobControl.auditTarget(job);
    audit.record(handle, Actor.of(caller), action, target, before, after);
  }
}
