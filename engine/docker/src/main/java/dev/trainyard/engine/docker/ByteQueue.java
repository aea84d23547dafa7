package dev.trainyard.engine.docker;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * A buffer for bytes that one thread passes to another. The writer blocks while it is full.
 * Thread-safe for one writer and one reader.
 */
final class ByteQueue extends InputStream {
  private static final int CAPACITY = 1 << 18;

  private final byte[] bytes = new byte[CAPACITY];
  private int first;
  private int count;
  private boolean ended;

  /** Adds bytes; returns false if the reader has closed the queue. */
  synchronized boolean put(byte[] from, int offset, int length) throws InterruptedException {
    int done = 0;
    while (done < length) {
      while (count == CAPACITY && !ended) {
        wait();
      }
      if (ended) {
        return false;
      }
      int to = (first + count) % CAPACITY;
      int part = Math.min(length - done, Math.min(CAPACITY - count, CAPACITY - to));
      System.arraycopy(from, offset + done, bytes, to, part);
      count += part;
      done += part;
      notifyAll();
    }
    return true;
  }

  /** Ends the queue; the remaining bytes can still be read. */
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public synchronized int read(byte[] to, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, to.length);
    if (length == 0) {
      return 0;
    }
    try {
      while (count == 0 && !ended) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    if (count == 0) {
      return -1;
    }
    int part = Math.min(length, Math.min(count, CAPACITY - first));
    System.arraycopy(bytes, first, to, offset, part);
    first = (first + part) % CAPACITY;
    count -= part;
    notifyAll();
    return part;
  }

  @Override
  public synchronized int available() {
    return count;
  }

  @Override
  public void close() {
    end();
  }
}
