package dev.trainyard.engine.process;

import java.io.IOException;
import java.io.OutputStream;

/** Keyboard input of a terminal. Closing it sends Ctrl-D; the terminal itself stays open. */
final class TerminalOutput extends OutputStream {
  private static final int END_OF_INPUT = 4;

  private final DescriptorOutput keys;
  private boolean closed;

  TerminalOutput(Descriptor terminal) {
    this.keys = new DescriptorOutput(terminal);
  }

  @Override
  public void write(int value) throws IOException {
    keys.write(value);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    keys.write(bytes, offset, length);
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      keys.write(END_OF_INPUT);
    }
  }
}
