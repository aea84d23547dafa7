package dev.trainyard.server.team;

import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.server.http.Caller;
import org.jdbi.v3.core.Handle;

/** Decides whether a user may submit a job. */
@FunctionalInterface
public interface JobAdmission {
  /** Accepts every job of every user. */
  JobAdmission ALLOW_ALL = (handle, caller, spec, bytes) -> {};

  /**
   * Returns the virtual cluster in which a job that requests {@code requested} will run. Runs in
   * the transaction that stores the job, before {@link #check}.
   */
  default String virtualCluster(Handle handle, Caller caller, String requested) {
    return requested;
  }

  /**
   * Rejects a job by throwing an exception. Runs in the transaction that stores the job.
   *
   * @param bytes size of the job file or of its expanded spec, whichever is larger
   */
  void check(Handle handle, Caller caller, JobSpec spec, long bytes);

  /**
   * Inserts records that refer to the stored job, or rejects the job by throwing an exception. Runs
   * in the same transaction, after the job was inserted.
   */
  default void onStored(Handle handle, Caller caller, JobId job, JobSpec spec, long bytes) {}
}
