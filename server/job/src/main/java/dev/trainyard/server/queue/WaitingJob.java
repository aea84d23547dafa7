package dev.trainyard.server.queue;

import dev.trainyard.scheduler.QueuedJob;
import dev.trainyard.server.job.JobStatus;

/**
 * The queue's record of a waiting job.
 *
 * @param version version of the job when it began to wait; a plan is valid only for this version
 * @param attempt number of the most recent attempt
 */
record WaitingJob(QueuedJob job, long version, int attempt) {
  static WaitingJob of(QueuedJob job, JobStatus status) {
    return new WaitingJob(job, status.version(), status.attempt());
  }
}
