package dev.trainyard.server.log;

import dev.trainyard.server.http.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A sink that periodically checks whether the caller is still authorized, because a log may be
 * followed for days and permissions may be revoked earlier. For one thread.
 */
public final class WatchedSink implements Reply.Sink {
  public static final Duration EVERY = Duration.ofSeconds(5);

  private final Reply.Sink sink;
  private final BooleanSupplier stillAllowed;
  private final Duration every;
  private long lastRequested = System.nanoTime();
  private boolean refused;

  public WatchedSink(Reply.Sink sink, BooleanSupplier stillAllowed, Duration every) {
    this.sink = sink;
    this.stillAllowed = stillAllowed;
    this.every = every;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (isRefused()) {
      throw new IOException("the caller may no longer read this");
    }
    sink.write(bytes, offset, length);
  }

  @Override
  public boolean closed() {
    return sink.closed() || isRefused();
  }

  private boolean isRefused() {
    if (!refused && System.nanoTime() - lastRequested >= every.toNanos()) {
      refused = !stillAllowed.getAsBoolean();
      lastRequested = System.nanoTime();
    }
    return refused;
  }
}
