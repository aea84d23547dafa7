package dev.trainyard.engine.process;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Stream that writes keyboard input to a terminal. Closing it sends Ctrl-D; the terminal itself
 * stays open.
 */
final class TerminalOutput extends OutputStream {
  private static final int END_OF_INPUT = 4;

  private final DescriptorOutput output;
  private boolean closed;

  TerminalOutput(Descriptor terminal) {
    this.output = new DescriptorOutput(terminal);
  }

  @Override
  public void write(int value) throws IOException {
    output.write(value);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    output.write(bytes, offset, length);
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      output.write(END_OF_INPUT);
    }
  }
}
