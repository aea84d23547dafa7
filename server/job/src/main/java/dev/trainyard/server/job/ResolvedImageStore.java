package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** SQL statements for {@link ResolvedImage}. Every method runs in the caller's transaction. */
public final class ResolvedImageStore {
  private ResolvedImageStore() {}

  /** Stores a resolved image; replaces the record of an earlier start of the job. */
  public static void put(Handle handle, JobId job, ResolvedImage image) {
    handle.execute(
        "insert into job_image (job_id, image, reference, image_id) values (?, ?, ?, ?)"
            + " on conflict (job_id, image) do update"
            + " set reference = excluded.reference, image_id = excluded.image_id",
        job.value(),
        image.image(),
        image.reference(),
        image.id());
  }

  static List<ResolvedImage> of(Handle handle, JobId job) {
    return handle
        .createQuery(
            "select image, reference, image_id from job_image where job_id = :job order by image")
        .bind("job", job.value())
        .map(
            (rows, _) -> new ResolvedImage(rows.getString(1), rows.getString(2), rows.getString(3)))
        .list();
  }
}
