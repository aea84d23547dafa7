package dev.trainyard.server.http;

import java.io.IOException;
import java.io.OutputStream;

/**
 * An output stream that writes to a sink. Buffers the content, because each write to the sink waits
 * for the network.
 */
public final class SinkStream extends OutputStream {
  private final Reply.Sink sink;
  private final byte[] buffer = new byte[256 * 1024];
  private int bufferedBytes;

  public SinkStream(Reply.Sink sink) {
    this.sink = sink;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int copiedBytes = 0;
    while (copiedBytes < length) {
      int count = Math.min(length - copiedBytes, buffer.length - bufferedBytes);
      System.arraycopy(bytes, offset + copiedBytes, buffer, bufferedBytes, count);
      bufferedBytes += count;
      copiedBytes += count;
      if (bufferedBytes == buffer.length) {
        flush();
      }
    }
  }

  @Override
  public void flush() throws IOException {
    if (bufferedBytes > 0) {
      sink.write(buffer, 0, bufferedBytes);
      bufferedBytes = 0;
    }
  }

  @Override
  public void close() throws IOException {
    flush();
  }
}
