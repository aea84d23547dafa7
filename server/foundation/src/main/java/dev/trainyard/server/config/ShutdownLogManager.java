package dev.trainyard.server.config;

import java.util.logging.LogManager;

/**
 * The usual log manager throws all handlers away as soon as the process is told to end, which is
 * when there is still something to say.
 */
public final class ShutdownLogManager extends LogManager {
  private boolean configured;

  @Override
  public void reset() {
    if (!configured) {
      super.reset();
    }
  }

  void keep() {
    configured = true;
  }
}
