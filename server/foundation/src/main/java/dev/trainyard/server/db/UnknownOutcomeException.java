package dev.trainyard.server.db;

/** The connection broke during COMMIT, and the transaction may or may not have been stored. */
public final class UnknownOutcomeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public UnknownOutcomeException(Throwable cause) {
    super("the outcome of a transaction is not known", cause);
  }
}
