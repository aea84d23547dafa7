package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * An image of a job file as it was resolved when the job last started.
 *
 * @param image as written in the job file
 * @param reference the full reference
 * @param id ID of the image that the reference named
 */
public record ResolvedImage(String image, String reference, String id) {

  /** Stores it as part of the caller's transaction. */
  public void store(Handle handle, JobId job) {
    handle.execute(
        "insert into job_image (job_id, image, reference, image_id) values (?, ?, ?, ?)"
            + " on conflict (job_id, image) do update"
            + " set reference = excluded.reference, image_id = excluded.image_id",
        job.value(),
        image,
        reference,
        id);
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
