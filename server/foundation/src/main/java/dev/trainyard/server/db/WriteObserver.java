package dev.trainyard.server.db;

import java.time.Duration;

/**
 * Receives callbacks about writes, for metrics. Called on threads of the database, so
 * implementations must return quickly.
 */
public interface WriteObserver {
  WriteObserver NONE = new WriteObserver() {};

  /** Called after a commit of one or more writes. */
  default void committed(int writes, Duration duration) {}

  /** Called when a write is retried because of a serialization failure. */
  default void retried() {}
}
