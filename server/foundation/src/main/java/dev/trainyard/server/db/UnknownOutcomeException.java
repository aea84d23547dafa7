package dev.trainyard.server.db;

/**
 * Thrown if the connection broke during COMMIT, so that the transaction may or may not be stored.
 */
public final class UnknownOutcomeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public UnknownOutcomeException(Throwable cause) {
    super("the outcome of a transaction is not known", cause);
  }
}
