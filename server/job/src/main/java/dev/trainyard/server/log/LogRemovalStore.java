package dev.trainyard.server.log;

import dev.trainyard.model.JobId;
import dev.trainyard.server.db.Db;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Records the jobs whose logs were removed. The record is committed before the first file is
 * deleted, so that a request for removed logs always gets the reason. Thread-safe.
 */
public final class LogRemovalStore {
  private final Db db;

  public LogRemovalStore(Db db) {
    this.db = db;
  }

  /** Returns the time at which the logs of a job were removed; empty if they were not removed. */
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

  /**
   * Records that the logs of a job are about to be deleted. Returns false if the job is unfinished
   * or does not exist, or if the deletion is already recorded.
   */
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

  /** Records that all log files of a job are deleted. */
  public void end(JobId job) {
    db.write(
        handle ->
            handle
                .createUpdate("update log_removal set done = 1 where job_id = :job")
                .bind("job", job.value())
                .execute());
  }

  /**
   * Returns the jobs whose log removal was begun but not completed, because the server process
   * ended.
   */
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
