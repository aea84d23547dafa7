package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.DescriptorPoller;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Stream that reads the output of a command. It ends when the command ends, even if a background
 * process of the command keeps the stream open.
 */
final class DescriptorInput extends InputStream {
  /**
   * Maximum number of bytes that are read after the command has ended; more than a pipe or a
   * terminal can buffer.
   */
  private static final int MAX_REMAINING_BYTES = 1 << 20;

  private final Descriptor descriptor;
  private final CompletableFuture<?> commandEnd;
  private final int drainTimeoutMillis;
  private boolean drainWaitAllowed = true;
  private int remainingBytes = MAX_REMAINING_BYTES;

  /**
   * @param commandEnd completes when the command has ended
   * @param drainTimeoutMillis maximum time to wait after the end for output that is still buffered
   */
  DescriptorInput(Descriptor descriptor, CompletableFuture<?> commandEnd, int drainTimeoutMillis) {
    this.descriptor = descriptor;
    this.commandEnd = commandEnd;
    this.drainTimeoutMillis = drainTimeoutMillis;
    var _ = commandEnd.handle((_, _) -> wakeReader());
  }

  private Void wakeReader() {
    descriptor.wake();
    return null;
  }

  @Override
  public int read() throws IOException {
    byte[] buffer = new byte[1];
    return read(buffer, 0, 1) < 0 ? -1 : buffer[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    while (true) {
      boolean ended = commandEnd.isDone();
      int count = descriptor.read(bytes, offset, length);
      if (count != Descriptor.WOULD_BLOCK) {
        // If more bytes follow after the end of the command than the buffers can hold, another
        // process has written them.
        remainingBytes -= ended ? count : 0;
        return remainingBytes < 0 ? Descriptor.END : count;
      }
      if (ended && !drainWaitAllowed) {
        return -1;
      }
      awaitInput(ended);
    }
  }

  private void awaitInput(boolean ended) throws IOException {
    CompletableFuture<Void> readiness = descriptor.whenReady(DescriptorPoller.Event.READ);
    if (ended) {
      drainWaitAllowed = false;
      readiness.completeOnTimeout(null, drainTimeoutMillis, TimeUnit.MILLISECONDS);
    } else if (commandEnd.isDone()) {
      return; // the command has ended since the last check
    }
    readiness.join();
  }

  @Override
  public void close() {
    descriptor.close();
  }
}
