package dev.trainyard.server.queue;

/** The server is going down: drop what you do, the next start takes it up again. */
final class QueueClosedException extends RuntimeException {
  QueueClosedException(Throwable cause) {
    super(cause);
  }
}
