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
 * A descriptor that is read or written without ever blocking a thread of the machine's: whoever has
 * to wait is told by {@link DescriptorPoller}. Thread-safe; one waits at a time.
 */
final class Descriptor implements AutoCloseable {
  static final int END = -1;
  static final int NOT_NOW = -2;

  private final int number;
  private CompletableFuture<Void> waiting = CompletableFuture.completedFuture(null);
  private boolean closed;

  /**
   * @param number opened with O_NONBLOCK; closed by this
   */
  Descriptor(int number) {
    this.number = number;
  }

  /** The number of bytes, {@link #END} or {@link #NOT_NOW}. */
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
        case LinuxException.EAGAIN, LinuxException.EINTR -> NOT_NOW;
        // What a terminal says when nobody has it open any more.
        case LinuxException.EIO -> END;
        default -> throw e;
      };
    }
  }

  /** The number of bytes or {@link #NOT_NOW}. */
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
        return NOT_NOW;
      }
      throw e;
    }
  }

  /** An ioctl; nothing happens if it is closed. */
  synchronized void control(String what, long command, long value) throws LinuxException {
    if (!closed) {
      Linux.call(what, SystemCall.IOCTL, number, command, value);
    }
  }

  /** Completed when it is worth trying again, or {@link #wake} was called, or it is closed. */
  synchronized CompletableFuture<Void> ready(DescriptorPoller.Wish wish) throws IOException {
    if (closed) {
      return CompletableFuture.completedFuture(null);
    }
    if (waiting.isDone()) {
      waiting = new CompletableFuture<>();
      DescriptorPoller.await(number, wish, waiting);
    }
    return waiting;
  }

  /** Whoever waits looks again. */
  synchronized void wake() {
    waiting.complete(null);
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      DescriptorPoller.forget(number);
      Linux.close(number);
      wake();
    }
  }
}
