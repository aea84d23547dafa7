package dev.trainyard.server.http;

import java.io.IOException;
import java.io.OutputStream;

/** A sink as an output stream. Buffers whole pieces, because each write waits for the network. */
public final class SinkStream extends OutputStream {
  private final Reply.Sink sink;
  private final byte[] piece = new byte[256 * 1024];
  private int filled;

  public SinkStream(Reply.Sink sink) {
    this.sink = sink;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int part = Math.min(length - done, piece.length - filled);
      System.arraycopy(bytes, offset + done, piece, filled, part);
      filled += part;
      done += part;
      if (filled == piece.length) {
        flush();
      }
    }
  }

  @Override
  public void flush() throws IOException {
    if (filled > 0) {
      sink.write(piece, 0, filled);
      filled = 0;
    }
  }

  @Override
  public void close() throws IOException {
    flush();
  }
}
