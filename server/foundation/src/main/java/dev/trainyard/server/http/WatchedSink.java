package dev.trainyard.server.http;

import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A sink that periodically checks whether the caller is still authorized, because a log may be
 * followed for days and permissions may be revoked earlier. Not thread-safe.
 */
public final class WatchedSink implements Reply.Sink {
  public static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);

  private final Reply.Sink sink;
  private final BooleanSupplier stillAllowed;
  private final Duration checkInterval;
  private long lastCheckNanos = System.nanoTime();
  private boolean revoked;

  public WatchedSink(Reply.Sink sink, BooleanSupplier stillAllowed, Duration checkInterval) {
    this.sink = sink;
    this.stillAllowed = stillAllowed;
    this.checkInterval = checkInterval;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (isRevoked()) {
      throw new IOException("the caller may no longer read this");
    }
    sink.write(bytes, offset, length);
  }

  @Override
  public boolean closed() {
    return sink.closed() || isRevoked();
  }

  private boolean isRevoked() {
    if (!revoked && System.nanoTime() - lastCheckNanos >= checkInterval.toNanos()) {
      revoked = !stillAllowed.getAsBoolean();
      lastCheckNanos = System.nanoTime();
    }
    return revoked;
  }
}
