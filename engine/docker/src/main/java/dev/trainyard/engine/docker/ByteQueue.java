package dev.trainyard.engine.docker;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * A buffer for bytes that one thread passes to another. The writer blocks while the buffer is full.
 * Thread-safe for one writer and one reader.
 */
final class ByteQueue extends InputStream {
  private static final int CAPACITY = 1 << 18;

  private final byte[] bytes = new byte[CAPACITY];
  private int readPosition;
  private int count;
  private boolean endReached;

  /** Adds bytes; returns false if the reader has closed the queue. */
  synchronized boolean put(byte[] source, int offset, int length) throws InterruptedException {
    int copiedCount = 0;
    while (copiedCount < length) {
      while (count == CAPACITY && !endReached) {
        wait();
      }
      if (endReached) {
        return false;
      }
      int writePosition = (readPosition + count) % CAPACITY;
      int chunkLength =
          Math.min(length - copiedCount, Math.min(CAPACITY - count, CAPACITY - writePosition));
      System.arraycopy(source, offset + copiedCount, bytes, writePosition, chunkLength);
      count += chunkLength;
      copiedCount += chunkLength;
      notifyAll();
    }
    return true;
  }

  /** Ends the queue; the remaining bytes can still be read. */
  synchronized void end() {
    endReached = true;
    notifyAll();
  }

  @Override
  public int read() throws IOException {
    byte[] buffer = new byte[1];
    return read(buffer, 0, 1) < 0 ? -1 : buffer[0] & 0xFF;
  }

  @Override
  public synchronized int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    try {
      while (count == 0 && !endReached) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    if (count == 0) {
      return -1;
    }
    int chunkLength = Math.min(length, Math.min(count, CAPACITY - readPosition));
    System.arraycopy(bytes, readPosition, target, offset, chunkLength);
    readPosition = (readPosition + chunkLength) % CAPACITY;
    count -= chunkLength;
    notifyAll();
    return chunkLength;
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
