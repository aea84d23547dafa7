package dev.trainyard.server.secret;

import dev.trainyard.model.JobId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** SQL statements for the encrypted secrets of jobs, which are deleted together with the job. */
final class SecretStore {
  /** The encrypted secrets of a job, with the job's owner. */
  record Row(JobId job, String owner, SealedSecrets secrets) {}

  void insert(Handle handle, JobId job, SealedSecrets secrets) {
    handle
        .createUpdate(
            "insert into job_secret (job_id, key_id, sealed) values (:job, :key, :sealed)")
        .bind("job", job.value())
        .bind("key", secrets.key())
        .bind("sealed", secrets.sealed())
        .execute();
  }

  Optional<SealedSecrets> find(Handle handle, JobId job) {
    return handle
        .createQuery("select key_id, sealed from job_secret where job_id = :job")
        .bind("job", job.value())
        .map((rows, _) -> new SealedSecrets(rows.getString(1), rows.getString(2)))
        .findOne();
  }

  /**
   * Returns the secrets of jobs after the given job, ordered by job, that are encrypted with a key
   * other than the given key.
   */
  List<Row> listWithOtherKey(Handle handle, String key, String after, int limit) {
    return handle
        .createQuery(
            """
            select s.job_id, j.user_id, s.key_id, s.sealed from job_secret s \
            join job j on j.id = s.job_id \
            where s.key_id <> :key and s.job_id > :after order by s.job_id limit :limit\
            """)
        .bind("key", key)
        .bind("after", after)
        .bind("limit", limit)
        .map(
            (rows, _) ->
                new Row(
                    new JobId(rows.getString(1)),
                    rows.getString(2),
                    new SealedSecrets(rows.getString(3), rows.getString(4))))
        .list();
  }

  /**
   * Replaces the secrets of a job; returns false if they were deleted or re-encrypted in the
   * meantime.
   */
  boolean replace(Handle handle, JobId job, SealedSecrets from, SealedSecrets to) {
    return handle
            .createUpdate(
                """
                update job_secret set key_id = :key, sealed = :sealed \
                where job_id = :job and key_id = :before\
                """)
            .bind("key", to.key())
            .bind("sealed", to.sealed())
            .bind("job", job.value())
            .bind("before", from.key())
            .execute()
        == 1;
  }

  Set<String> keys(Handle handle) {
    return Set.copyOf(
        handle.createQuery("select distinct key_id from job_secret").mapTo(String.class).list());
  }
}
