package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.DescriptorPoller;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.engine.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;

/**
 * A descriptor that is read and written without blocking a platform thread; {@link
 * DescriptorPoller} notifies a waiting reader or writer. Thread-safe; only one caller can wait at a
 * time.
 */
final class Descriptor implements AutoCloseable {
  static final int END = -1;
  static final int WOULD_BLOCK = -2;

  private final int number;
  private CompletableFuture<Void> readiness = CompletableFuture.completedFuture(null);
  private boolean closed;

  /**
   * @param number descriptor number, opened with O_NONBLOCK; this object owns and closes it
   */
  Descriptor(int number) {
    this.number = number;
  }

  /** Returns the number of bytes, {@link #END} or {@link #WOULD_BLOCK}. */
  synchronized int read(byte[] bytes, int offset, int length) throws IOException {
    if (closed) {
      return END;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(length);
      int count = (int) Linux.call("read", SystemCall.READ, number, buffer.address(), length);
      MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, bytes, offset, count);
      return count == 0 ? END : count;
    } catch (LinuxException e) {
      return switch (e.errno()) {
        case LinuxException.EAGAIN, LinuxException.EINTR -> WOULD_BLOCK;
        // A terminal reports EIO when no process has it open any more.
        case LinuxException.EIO -> END;
        default -> throw e;
      };
    }
  }

  /** Returns the number of bytes or {@link #WOULD_BLOCK}. */
  synchronized int write(byte[] bytes, int offset, int length) throws IOException {
    if (closed) {
      throw new IOException("closed");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(length);
      MemorySegment.copy(bytes, offset, buffer, ValueLayout.JAVA_BYTE, 0, length);
      return (int) Linux.call("write", SystemCall.WRITE, number, buffer.address(), length);
    } catch (LinuxException e) {
      if (e.errno() == LinuxException.EAGAIN || e.errno() == LinuxException.EINTR) {
        return WOULD_BLOCK;
      }
      throw e;
    }
  }

  /** Performs an ioctl; has no effect if the descriptor is closed. */
  synchronized void ioctl(String operation, long command, long value) throws LinuxException {
    if (!closed) {
      Linux.call(operation, SystemCall.IOCTL, number, command, value);
    }
  }

  /**
   * Returns a future that completes when a retry may succeed, when {@link #wake} is called, or when
   * the descriptor is closed.
   */
  synchronized CompletableFuture<Void> whenReady(DescriptorPoller.Event event) throws IOException {
    if (closed) {
      return CompletableFuture.completedFuture(null);
    }
    if (readiness.isDone()) {
      readiness = new CompletableFuture<>();
      DescriptorPoller.await(number, event, readiness);
    }
    return readiness;
  }

  /** Wakes a waiting caller, which then checks again. */
  synchronized void wake() {
    readiness.complete(null);
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      DescriptorPoller.cancel(number);
      Linux.close(number);
      wake();
    }
  }
}
