package dev.trainyard.server.job;

import dev.trainyard.server.db.Db;
import dev.trainyard.server.work.WorkPools;

/**
 * Reads stored job files for requests. A large spec takes tens of milliseconds of CPU time and many
 * megabytes of memory, so the work pool, in which users take turns, performs the read.
 */
record ConfigReader(Db db, JobStore jobs) {
  /** Performs a read that uses the file or the spec of a job. The work pool never rejects it. */
  <T> T read(Job job, Db.Transaction<T> transaction) {
    long bytes = db.read(handle -> jobs.configBytes(handle, job.id()));
    return WorkPools.runForSize(job.taskCount(), bytes, () -> db.read(transaction));
  }
}
