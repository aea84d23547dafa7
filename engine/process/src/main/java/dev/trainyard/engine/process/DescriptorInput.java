package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.DescriptorPoller;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The output of a command. It ends when the command ends, even if a background process of the
 * command keeps the stream open.
 */
final class DescriptorInput extends InputStream {
  /** More than a pipe or a terminal can buffer. */
  private static final int MOST_LEFT = 1 << 20;

  private final Descriptor descriptor;
  private final CompletableFuture<?> over;
  private final int patienceMillis;
  private boolean patient = true;
  private int left = MOST_LEFT;

  /**
   * @param over completes when the command has ended
   * @param patienceMillis how long to wait after the end for output that is still on its way
   */
  DescriptorInput(Descriptor descriptor, CompletableFuture<?> over, int patienceMillis) {
    this.descriptor = descriptor;
    this.over = over;
    this.patienceMillis = patienceMillis;
    var _ = over.handle((_, _) -> woken());
  }

  private Void woken() {
    descriptor.wake();
    return null;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    while (true) {
      boolean ended = over.isDone();
      int count = descriptor.read(bytes, offset, length);
      if (count != Descriptor.NOT_NOW) {
        // Output that exceeds the buffers after the end comes from another process.
        left -= ended ? count : 0;
        return left < 0 ? Descriptor.END : count;
      }
      if (ended && !patient) {
        return -1;
      }
      await(ended);
    }
  }

  private void await(boolean ended) throws IOException {
    CompletableFuture<Void> ready = descriptor.ready(DescriptorPoller.Event.READ);
    if (ended) {
      patient = false;
      ready.completeOnTimeout(null, patienceMillis, TimeUnit.MILLISECONDS);
    } else if (over.isDone()) {
      return; // ended since the last check
    }
    ready.join();
  }

  @Override
  public void close() {
    descriptor.close();
  }
}
