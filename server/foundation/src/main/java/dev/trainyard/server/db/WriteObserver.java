package dev.trainyard.server.db;

import java.time.Duration;

/**
 * Receives callbacks about writes, for metrics. Called on threads of the database, so
 * implementations must return quickly.
 */
public interface WriteObserver {
  WriteObserver NONE = new WriteObserver() {};

  /** Some writes became durable together. */
  default void committed(int works, Duration took) {}

  /** A write is retried because of a serialization failure. */
  default void retried() {}
}
