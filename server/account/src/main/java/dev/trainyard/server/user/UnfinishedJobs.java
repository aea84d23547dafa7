package dev.trainyard.server.user;

import org.jdbi.v3.core.Handle;

/** Counts the unfinished jobs of a user. */
@FunctionalInterface
public interface UnfinishedJobs {
  UnfinishedJobs NONE = (handle, userId) -> 0;

  /** Returns the number of unfinished jobs; called in the transaction that deletes the user. */
  int count(Handle handle, String userId);
}
