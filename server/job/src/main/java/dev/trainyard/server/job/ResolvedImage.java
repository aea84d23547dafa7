package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * What an image of a job's file was when the job last started.
 *
 * @param image as the file says it
 * @param reference the whole name
 * @param id of the image that had that name
 */
public record ResolvedImage(String image, String reference, String id) {

  /** Part of the caller's work. */
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
