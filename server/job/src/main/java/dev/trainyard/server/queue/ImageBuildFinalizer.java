package dev.trainyard.server.queue;

import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.Job;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the image after the task of an image build succeeded. If the image cannot be created, the
 * task fails.
 */
final class ImageBuildFinalizer {
  private static final Logger LOG = LoggerFactory.getLogger(ImageBuildFinalizer.class);

  private ImageBuildFinalizer() {}

  /**
   * @param stopped whether the build was stopped; no image is created in that case
   * @param ends the ends of tasks; the end of the build task is replaced by the result
   */
  static void apply(
      QueueContext queue, Job job, JobSpec spec, boolean stopped, Map<TaskId, TaskEnd> ends) {
    if (spec.extras().imageBuild() && !stopped) {
      ends.replaceAll((task, end) -> createImage(queue, job, task, end));
    }
  }

  private static TaskEnd createImage(QueueContext queue, Job job, TaskId task, TaskEnd end) {
    if (!end.succeeded()) {
      return end;
    }
    try {
      return queue.services().builds().finish(job, task, end);
    } catch (RuntimeException e) {
      queue.retryingDb().stopIfClosed(e);
      LOG.error("failed to create the image of job {}", job.id(), e);
      String detail = "failed to create the image: " + e.getMessage();
      return new TaskEnd(1, ExitReason.SUPERVISOR_LOST, detail, end.at());
    }
  }
}
