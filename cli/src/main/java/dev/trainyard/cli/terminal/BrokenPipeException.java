package dev.trainyard.cli.terminal;

/** Thrown if the reader of the output closed the pipe, as in {@code trainyard ls | head}. */
public final class BrokenPipeException extends RuntimeException {
  public BrokenPipeException(Throwable cause) {
    super(cause);
  }
}
