package dev.trainyard.engine.docker;

import java.io.IOException;
import java.io.OutputStream;

/** The input of a command. Closing the input of a terminal sends the end-of-file character. */
final class CommandInput extends OutputStream {
  private static final byte[] END_OF_FILE = {4};

  private final HijackedConnection connection;
  private final boolean terminal;
  private boolean closed;

  CommandInput(HijackedConnection connection, boolean terminal) {
    this.connection = connection;
    this.terminal = terminal;
  }

  @Override
  public void write(int value) throws IOException {
    connection.write(new byte[] {(byte) value});
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    connection.write(bytes, offset, length);
  }

  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    if (terminal) {
      connection.write(END_OF_FILE);
    } else {
      connection.endInput();
    }
  }
}
