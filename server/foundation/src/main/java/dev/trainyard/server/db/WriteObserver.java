package dev.trainyard.server.db;

import java.time.Duration;

/** Is told what the database does, for metrics. Called on threads of the database: be quick. */
public interface WriteObserver {
  WriteObserver NONE = new WriteObserver() {};

  /** Some works became durable together. */
  default void committed(int works, Duration took) {}

  /** A work is tried again because it collided with another. */
  default void retried() {}
}
