package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.server.http.Caller;
import org.jdbi.v3.core.Handle;

/** Knows who may submit what. */
@FunctionalInterface
public interface Admission {
  /** Lets everybody submit everything. */
  Admission EVERYBODY = (handle, caller, spec, bytes) -> {};

  /**
   * Refuses a job, or does nothing; asked within the work that stores it.
   *
   * @param bytes the size of the job file
   */
  void check(Handle handle, Caller caller, JobSpec spec, long bytes);

  /** The same once the job is stored, for what refers to it. */
  default void stored(Handle handle, Caller caller, JobId job, JobSpec spec, long bytes) {}
}
