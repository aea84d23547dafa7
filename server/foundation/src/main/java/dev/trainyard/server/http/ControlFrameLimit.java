package dev.trainyard.server.http;

import java.util.function.LongSupplier;

/**
 * Limits the pings and pongs that the client of a WebSocket sends: Vert.x queues a pong for every
 * ping, even if the client reads nothing. The limit leaves enough for a client that sends a ping
 * every few seconds for hours while its user reads or the command does. Not thread-safe.
 */
final class ControlFrameLimit {
  static final int MAX_FRAMES = 1_000;
  private static final long WINDOW_NANOS = 1_000_000_000;

  private final LongSupplier nanos;
  private long windowBegin;
  private int inWindow;
  private int whileQueueFull;

  ControlFrameLimit(LongSupplier nanos) {
    this.nanos = nanos;
    this.windowBegin = nanos.getAsLong();
  }

  /**
   * Counts a frame; returns false after more than {@link #MAX_FRAMES} frames within a second or
   * since the write queue became full.
   */
  boolean allows(boolean writeQueueFull) {
    long now = nanos.getAsLong();
    if (now - windowBegin >= WINDOW_NANOS) {
      windowBegin = now;
      inWindow = 0;
    }
    inWindow++;
    whileQueueFull = writeQueueFull ? whileQueueFull + 1 : 0;
    return inWindow <= MAX_FRAMES && whileQueueFull <= MAX_FRAMES;
  }
}
