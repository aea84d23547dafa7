package dev.trainyard.server.queue;

import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.Job;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns the good end of a build's steps into that of the build. */
final class ImageBuildFinalizer {
  private static final Logger LOG = LoggerFactory.getLogger(ImageBuildFinalizer.class);

  private ImageBuildFinalizer() {}

  /**
   * @param stopped nothing is made of a build that somebody stopped
   */
  static void apply(
      QueueContext queue, Job job, JobSpec spec, boolean stopped, Map<TaskId, TaskEnd> ends) {
    if (spec.extras().imageBuild() && !stopped) {
      ends.replaceAll((task, end) -> of(queue, job, task, end));
    }
  }

  private static TaskEnd of(QueueContext queue, Job job, TaskId task, TaskEnd end) {
    if (!end.succeeded()) {
      return end;
    }
    try {
      return queue.specs().builds().finish(job, task, end);
    } catch (RuntimeException e) {
      queue.retryingDb().stopIfClosed(e);
      LOG.error("the image of job {} could not be made", job.id(), e);
      String detail = "the image could not be made: " + e.getMessage();
      return new TaskEnd(1, ExitReason.SUPERVISOR_LOST, detail, end.at());
    }
  }
}
