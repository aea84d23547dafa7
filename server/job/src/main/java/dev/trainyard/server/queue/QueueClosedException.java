package dev.trainyard.server.queue;

/**
 * The server is shutting down: the current operation is abandoned and resumed by the next start.
 */
final class QueueClosedException extends RuntimeException {
  QueueClosedException(Throwable cause) {
    super(cause);
  }
}
