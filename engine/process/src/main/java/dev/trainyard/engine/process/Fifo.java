package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.LinuxException;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Both ends of a named pipe; opening them does not block. The pipe is named because a task may
 * reopen its streams through {@code /dev/stdout}, for which the kernel checks the owner.
 */
record Fifo(int readEnd, int writeEnd) implements AutoCloseable {
  private static final int READ_ONLY = 0;
  private static final int WRITE_ONLY = 1;
  private static final int READ_WRITE = 2;

  static Fifo open(Path path) throws IOException {
    int readWriteEnd = Linux.open(path.toString(), READ_WRITE);
    int readEnd = -1;
    try {
      readEnd = Linux.open(path.toString(), READ_ONLY);
      return new Fifo(readEnd, Linux.open(path.toString(), WRITE_ONLY));
    } catch (LinuxException e) {
      Linux.close(readEnd);
      throw e;
    } finally {
      Linux.close(readWriteEnd);
    }
  }

  @Override
  public void close() {
    Linux.close(readEnd);
    Linux.close(writeEnd);
  }
}
