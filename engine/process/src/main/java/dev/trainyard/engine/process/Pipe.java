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
  private final int writing;
  private int reading;

  private Pipe(int reading, int writing) {
    this.reading = reading;
    this.writing = writing;
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

  int reading() {
    return reading;
  }

  int writing() {
    return writing;
  }

  /** Writes a text that fits into the buffer of the pipe. */
  void write(String text) throws LinuxException {
    Linux.writeAll(writing, text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Writes any amount of data after the reader has its end of the pipe: blocks until all is read,
   * and fails if the reader ends first.
   */
  void writeToReader(byte[] bytes) throws LinuxException {
    Linux.close(reading);
    reading = -1;
    Linux.writeAll(writing, bytes);
  }

  /** Reads the available bytes, blocking until there are some; empty at the end. */
  static String read(int descriptor) throws LinuxException {
    int most = 4096;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(most);
      while (true) {
        try {
          long count =
              Linux.call("read a pipe", SystemCall.READ, descriptor, buffer.address(), most);
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
    Linux.close(reading);
    Linux.close(writing);
  }
}
