package dev.trainyard.engine.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.BooleanSupplier;

/**
 * A pipe that behaves like a pipe of the kernel: a writer blocks while the buffer is full, and each
 * end can be closed. This class is thread-safe.
 */
public final class BytePipe {
  private static final int CAPACITY = 64 * 1024;

  private final byte[] buffer = new byte[CAPACITY];
  private long writtenCount;
  private long readCount;
  private boolean writeEndClosed;
  private boolean readEndClosed;

  /** Returns the total number of bytes accepted from the writer. */
  public synchronized long writtenBytes() {
    return writtenCount;
  }

  /** Closes the read end; later writes fail. */
  public synchronized void closeReadEnd() {
    readEndClosed = true;
    notifyAll();
  }

  public OutputStream writeEnd() {
    return new OutputStream() {
      @Override
      public void write(int value) throws IOException {
        writeByte((byte) value);
      }

      @Override
      public void close() {
        closeWriteEnd();
      }
    };
  }

  public InputStream readEnd() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] singleByte = new byte[1];
        return read(singleByte, 0, 1) < 0 ? -1 : singleByte[0] & 0xFF;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        return readAvailable(bytes, offset, length);
      }
    };
  }

  private synchronized void writeByte(byte value) throws IOException {
    await(() -> writtenCount - readCount < CAPACITY || readEndClosed || writeEndClosed);
    if (readEndClosed || writeEndClosed) {
      throw new IOException("broken pipe");
    }
    buffer[(int) (writtenCount++ % CAPACITY)] = value;
    notifyAll();
  }

  private synchronized void closeWriteEnd() {
    writeEndClosed = true;
    notifyAll();
  }

  private synchronized int readAvailable(byte[] bytes, int offset, int length) throws IOException {
    await(() -> writtenCount > readCount || writeEndClosed || readEndClosed);
    if (writtenCount == readCount || readEndClosed) {
      return -1;
    }
    int count = (int) Math.min(length, writtenCount - readCount);
    for (int i = 0; i < count; i++) {
      bytes[offset + i] = buffer[(int) (readCount++ % CAPACITY)];
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
