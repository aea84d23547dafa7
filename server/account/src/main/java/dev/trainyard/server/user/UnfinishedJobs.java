package dev.trainyard.server.user;

import org.jdbi.v3.core.Handle;

/** Knows whether a user still has something to wait for. */
@FunctionalInterface
public interface UnfinishedJobs {
  UnfinishedJobs NONE = (handle, userId) -> 0;

  /** Asked within the work that deletes the user. */
  int count(Handle handle, String userId);
}
