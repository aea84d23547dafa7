package dev.trainyard.server.db;

/** Thrown if a write is rejected because this server does not hold the lease of the database. */
public final class NotLeadingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NotLeadingException(String message) {
    super(message);
  }
}
