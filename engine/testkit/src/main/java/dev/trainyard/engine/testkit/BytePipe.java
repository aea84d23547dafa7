package dev.trainyard.engine.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.BooleanSupplier;

/**
 * A pipe like that of the kernel: a writer blocks while the buffer is full, and either end may be
 * closed. Thread-safe.
 */
public final class BytePipe {
  private static final int CAPACITY = 64 * 1024;

  private final byte[] ring = new byte[CAPACITY];
  private long written;
  private long read;
  private boolean ended;
  private boolean broken;

  /** Returns the total number of bytes accepted from the writer. */
  public synchronized long written() {
    return written;
  }

  /** Closes the reading end; writers fail. */
  public synchronized void abandon() {
    broken = true;
    notifyAll();
  }

  public OutputStream in() {
    return new OutputStream() {
      @Override
      public void write(int value) throws IOException {
        put((byte) value);
      }

      @Override
      public void close() {
        end();
      }
    };
  }

  public InputStream out() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        return take(bytes, offset, length);
      }
    };
  }

  private synchronized void put(byte value) throws IOException {
    await(() -> written - read < CAPACITY || broken || ended);
    if (broken || ended) {
      throw new IOException("broken pipe");
    }
    ring[(int) (written++ % CAPACITY)] = value;
    notifyAll();
  }

  private synchronized void end() {
    ended = true;
    notifyAll();
  }

  private synchronized int take(byte[] bytes, int offset, int length) throws IOException {
    await(() -> written > read || ended || broken);
    if (written == read || broken) {
      return -1;
    }
    int count = (int) Math.min(length, written - read);
    for (int i = 0; i < count; i++) {
      bytes[offset + i] = ring[(int) (read++ % CAPACITY)];
    }
    notifyAll();
    return count;
  }

  private synchronized void await(BooleanSupplier condition) throws IOException {
    try {
      while (!condition.getAsBoolean()) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
