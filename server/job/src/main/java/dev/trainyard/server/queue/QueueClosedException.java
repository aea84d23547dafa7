package dev.trainyard.server.queue;

/**
 * Thrown when the server is shutting down. The current operation is abandoned; the next server
 * process resumes it.
 */
final class QueueClosedException extends RuntimeException {
  QueueClosedException(Throwable cause) {
    super(cause);
  }
}
