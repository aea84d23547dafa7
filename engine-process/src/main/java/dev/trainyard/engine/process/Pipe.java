package dev.trainyard.engine.process;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** A pipe of the kernel's; no program that is started gets it unless it is told to. */
record Pipe(int reading, int writing) implements AutoCloseable {
  static Pipe open() throws LinuxException {
    int cloexec = 0x80000;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ends = arena.allocate(ValueLayout.JAVA_INT, 2);
      Linux.call("make a pipe", SystemCall.PIPE2, ends.address(), cloexec);
      return new Pipe(
          ends.getAtIndex(ValueLayout.JAVA_INT, 0), ends.getAtIndex(ValueLayout.JAVA_INT, 1));
    }
  }

  /** For texts that a pipe takes at once. */
  void write(String text) throws LinuxException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
      Linux.call("write to a pipe", SystemCall.WRITE, writing, copy.address(), bytes.length);
    }
  }

  @Override
  public void close() {
    Linux.close(reading);
    Linux.close(writing);
  }
}
