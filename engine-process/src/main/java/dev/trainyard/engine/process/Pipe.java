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
    write(text.getBytes(StandardCharsets.UTF_8), 0);
  }

  /** Waits while it is full; how many bytes it took, from the given one on. */
  int write(byte[] bytes, int from) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes).asSlice(from);
      return (int)
          Linux.call("write to a pipe", SystemCall.WRITE, writing, copy.address(), copy.byteSize());
    }
  }

  /** Waits for something to come; empty at the end. */
  String read() throws LinuxException {
    int most = 4096;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(most);
      long count = Linux.call("read a pipe", SystemCall.READ, reading, buffer.address(), most);
      byte[] bytes = buffer.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE);
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() {
    Linux.close(reading);
    Linux.close(writing);
  }
}
