package dev.trainyard.engine.docker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The input and output of a root helper. */
final class RootHelperStreams implements AutoCloseable {
  private static final int HEADER_BYTES = 8;
  private static final int STDERR_STREAM = 2;
  private static final int MAX_FRAME_BYTES = 1 << 20;
  private static final int MAX_ERROR_LENGTH = 1000;
  private static final String END_MARK = "";

  private final HijackedConnection connection;
  private final BlockingQueue<String> responses = new LinkedBlockingQueue<>();

  /** Beginning of the root helper's error output; written by one thread. */
  private volatile String errorOutput = "";

  RootHelperStreams(HijackedConnection connection) {
    this.connection = connection;
    Thread.ofVirtual().name("root-helper").start(this::readOutput);
  }

  private void readOutput() {
    StringBuilder line = new StringBuilder();
    try {
      byte[] header = new byte[HEADER_BYTES];
      while (readFully(header)) {
        byte[] frame = new byte[Math.clamp(ByteBuffer.wrap(header).getInt(4), 0, MAX_FRAME_BYTES)];
        if (!readFully(frame)) {
          break;
        }
        String text = new String(frame, StandardCharsets.UTF_8);
        if (header[0] != STDERR_STREAM) {
          line.append(text);
          addResponses(line);
        } else if (errorOutput.length() < MAX_ERROR_LENGTH) {
          errorOutput = errorOutput.concat(text);
        }
      }
    } catch (IOException e) {
      errorOutput = errorOutput.concat(String.valueOf(e.getMessage()));
    }
    responses.add(END_MARK);
  }

  private void addResponses(StringBuilder text) {
    for (int end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      responses.add(text.substring(0, end));
      text.delete(0, end + 1);
    }
  }

  private boolean readFully(byte[] target) throws IOException {
    int readCount = 0;
    while (readCount < target.length) {
      int count = connection.read(target, readCount, target.length - readCount);
      if (count < 0) {
        return false;
      }
      readCount += count;
    }
    return true;
  }

  synchronized String send(String request, Duration timeout) throws IOException {
    connection.write((request + "\n").getBytes(StandardCharsets.US_ASCII));
    return awaitResponse(timeout);
  }

  /** Returns the next line of the root helper's output. */
  String awaitResponse(Duration timeout) throws IOException {
    try {
      String line = responses.poll(timeout.toSeconds(), TimeUnit.SECONDS);
      if (line == null) {
        // A late response could be mistaken for the response to another request.
        connection.close();
        throw new IOException("it does not respond");
      }
      if (line.equals(END_MARK)) {
        responses.add(END_MARK);
        throw new IOException("it has ended: " + errorOutput.strip());
      }
      return line;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      connection.close();
      throw new IOException("the server is shutting down", e);
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
