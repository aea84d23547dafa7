package dev.trainyard.server.db;

/**
 * Thrown if the connection broke during COMMIT, so that it is unknown whether the transaction was
 * committed.
 */
public final class UnknownOutcomeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public UnknownOutcomeException(Throwable cause) {
    super("the outcome of a transaction is not known", cause);
  }
}
