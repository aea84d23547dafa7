package dev.trainyard.server.config;

import java.util.logging.LogManager;

/**
 * Keeps the log handlers during shutdown. The default log manager removes all handlers as soon as
 * shutdown starts, while there are still records to log.
 */
public final class ShutdownLogManager extends LogManager {
  private boolean configured;

  @Override
  public void reset() {
    if (!configured) {
      super.reset();
    }
  }

  void markConfigured() {
    configured = true;
  }
}
