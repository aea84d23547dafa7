package dev.trainyard.server.log;

import dev.trainyard.model.JobId;
import dev.trainyard.server.db.Db;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Which jobs no longer have their logs. The decision is written down before the first file goes, so
 * that a job without logs can always say why. Thread-safe.
 */
public final class LogRemovals {
  private final Db db;

  public LogRemovals(Db db) {
    this.db = db;
  }

  /** When the logs of a job were removed, if they were. */
  public Optional<Instant> find(JobId job) {
    return db.read(
        handle ->
            handle
                .createQuery("select removed from log_removal where job_id = :job")
                .bind("job", job.value())
                .mapTo(Long.class)
                .findOne()
                .map(Instant::ofEpochMilli));
  }

  /** Writes down that the logs go; false for a job that is not over, or gone. */
  public boolean begin(JobId job, long bytes, Instant now) {
    return db.write(
        handle ->
            handle
                    .createUpdate(
                        """
                        insert into log_removal (job_id, removed, bytes, done) \
                        select id, :removed, :bytes, 0 from job where id = :job \
                        and state in ('SUCCEEDED', 'FAILED', 'STOPPED') \
                        on conflict (job_id) do nothing\
                        """)
                    .bind("job", job.value())
                    .bind("removed", now.toEpochMilli())
                    .bind("bytes", bytes)
                    .execute()
                == 1);
  }

  /** The last file is gone. */
  public void end(JobId job) {
    db.write(
        handle ->
            handle
                .createUpdate("update log_removal set done = 1 where job_id = :job")
                .bind("job", job.value())
                .execute());
  }

  /** What was begun and not ended, because the server ended first. */
  public List<JobId> unfinished() {
    return db.read(
        handle ->
            handle
                .createQuery("select job_id from log_removal where done = 0 order by job_id")
                .mapTo(String.class)
                .map(JobId::new)
                .list());
  }
}
