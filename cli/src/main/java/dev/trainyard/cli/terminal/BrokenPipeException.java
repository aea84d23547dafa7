package dev.trainyard.cli.terminal;

/** Whoever read our output went away, as in {@code trainyard ls | head}: nothing is left to say. */
public final class BrokenPipeException extends RuntimeException {
  public BrokenPipeException(Throwable cause) {
    super(cause);
  }
}
