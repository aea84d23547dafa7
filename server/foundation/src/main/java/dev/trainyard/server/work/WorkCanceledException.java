package dev.trainyard.server.work;

import java.util.concurrent.CancellationException;

/** Thrown in place of a result because the client that asked for it has disconnected. */
public final class WorkCanceledException extends CancellationException {
  private static final long serialVersionUID = 1;

  public WorkCanceledException() {
    super("the client has disconnected");
  }
}
