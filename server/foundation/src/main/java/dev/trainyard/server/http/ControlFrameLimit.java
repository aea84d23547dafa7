package dev.trainyard.server.http;

import java.util.function.LongSupplier;

/**
 * Limits the pings and pongs that the client of a WebSocket sends, because Vert.x queues a pong for
 * every ping, even if the client reads nothing. The limit is high enough for a client that sends a
 * ping every few seconds for hours while it reads nothing. Not thread-safe.
 */
final class ControlFrameLimit {
  static final int MAX_FRAMES = 1_000;
  private static final long WINDOW_NANOS = 1_000_000_000;

  private final LongSupplier nanoTime;
  private long windowStartNanos;
  private int framesInWindow;
  private int framesWhileQueueFull;

  ControlFrameLimit(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.windowStartNanos = nanoTime.getAsLong();
  }

  /**
   * Counts a frame. Returns false if more than {@link #MAX_FRAMES} frames were received within a
   * second, or since the write queue became full.
   */
  boolean allows(boolean writeQueueFull) {
    long now = nanoTime.getAsLong();
    if (now - windowStartNanos >= WINDOW_NANOS) {
      windowStartNanos = now;
      framesInWindow = 0;
    }
    framesInWindow++;
    framesWhileQueueFull = writeQueueFull ? framesWhileQueueFull + 1 : 0;
    return framesInWindow <= MAX_FRAMES && framesWhileQueueFull <= MAX_FRAMES;
  }
}
