package dev.trainyard.server.work;

import java.util.concurrent.CancellationException;

/** Thrown instead of returning a result because the client has disconnected. */
public final class WorkCanceledException extends CancellationException {
  private static final long serialVersionUID = 1;

  public WorkCanceledException() {
    super("the client has disconnected");
  }
}
