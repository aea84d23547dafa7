package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.engine.linux.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * A kernel pipe that started programs do not inherit unless it is passed explicitly. Not
 * thread-safe.
 */
final class Pipe implements AutoCloseable {
  private final int writeEnd;
  private int readEnd;

  private Pipe(int readEnd, int writeEnd) {
    this.readEnd = readEnd;
    this.writeEnd = writeEnd;
  }

  static Pipe open() throws LinuxException {
    int cloexec = 0x80000;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ends = arena.allocate(ValueLayout.JAVA_INT, 2);
      Linux.call("create a pipe", SystemCall.PIPE2, ends.address(), cloexec);
      return new Pipe(
          ends.getAtIndex(ValueLayout.JAVA_INT, 0), ends.getAtIndex(ValueLayout.JAVA_INT, 1));
    }
  }

  int readEnd() {
    return readEnd;
  }

  int writeEnd() {
    return writeEnd;
  }

  /** Writes a text that fits into the buffer of the pipe. */
  void write(String text) throws LinuxException {
    Linux.writeAll(writeEnd, text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Writes any amount of data to a reader that has already received the read end of the pipe.
   * Blocks until the data fits into the buffer of the pipe, and fails if the reader ends first.
   */
  void writeToReader(byte[] bytes) throws LinuxException {
    Linux.close(readEnd);
    readEnd = -1;
    Linux.writeAll(writeEnd, bytes);
  }

  /**
   * Returns the available bytes as text; blocks until bytes are available. Returns an empty text at
   * the end.
   */
  static String read(int descriptor) throws LinuxException {
    int bufferSize = 4096;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(bufferSize);
      while (true) {
        try {
          long count =
              Linux.call("read a pipe", SystemCall.READ, descriptor, buffer.address(), bufferSize);
          byte[] bytes = buffer.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE);
          return new String(bytes, StandardCharsets.UTF_8);
        } catch (LinuxException e) {
          if (e.errno() != LinuxException.EINTR) {
            throw e;
          }
        }
      }
    }
  }

  @Override
  public void close() {
    Linux.close(readEnd);
    Linux.close(writeEnd);
  }
}
