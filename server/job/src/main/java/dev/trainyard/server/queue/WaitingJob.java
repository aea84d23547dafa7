package dev.trainyard.server.queue;

import dev.trainyard.scheduler.QueuedJob;
import dev.trainyard.server.job.JobStatus;

/**
 * A waiting job as the queue knows it.
 *
 * @param version of the job when it began to wait: a plan holds only for this one
 * @param attempt the newest so far
 */
record WaitingJob(QueuedJob job, long version, int attempt) {
  static WaitingJob of(QueuedJob job, JobStatus status) {
    return new WaitingJob(job, status.version(), status.attempt());
  }
}
