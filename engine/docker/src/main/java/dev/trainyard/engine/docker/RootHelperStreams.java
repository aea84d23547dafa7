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
  private static final int HEAD = 8;
  private static final int ERRORS = 2;
  private static final int LONGEST = 1 << 20;
  private static final int MOST_ERRORS = 1000;
  private static final String END = "";

  private final HijackedConnection connection;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  /** The beginning of its error output; written by one thread. */
  private volatile String errors = "";

  RootHelperStreams(HijackedConnection connection) {
    this.connection = connection;
    Thread.ofVirtual().name("root-helper").start(this::readOutput);
  }

  private void readOutput() {
    StringBuilder line = new StringBuilder();
    try {
      byte[] head = new byte[HEAD];
      while (fill(head)) {
        byte[] piece = new byte[Math.clamp(ByteBuffer.wrap(head).getInt(4), 0, LONGEST)];
        if (!fill(piece)) {
          break;
        }
        String text = new String(piece, StandardCharsets.UTF_8);
        if (head[0] != ERRORS) {
          line.append(text);
          reportLines(line);
        } else if (errors.length() < MOST_ERRORS) {
          errors = errors.concat(text);
        }
      }
    } catch (IOException e) {
      errors = errors.concat(String.valueOf(e.getMessage()));
    }
    answers.add(END);
  }

  private void reportLines(StringBuilder text) {
    for (int end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      answers.add(text.substring(0, end));
      text.delete(0, end + 1);
    }
  }

  private boolean fill(byte[] to) throws IOException {
    int done = 0;
    while (done < to.length) {
      int count = connection.read(to, done, to.length - done);
      if (count < 0) {
        return false;
      }
      done += count;
    }
    return true;
  }

  synchronized String ask(String request, Duration patience) throws IOException {
    connection.write((request + "\n").getBytes(StandardCharsets.US_ASCII));
    return answer(patience);
  }

  /** Returns the next line of its output. */
  String answer(Duration patience) throws IOException {
    try {
      String line = answers.poll(patience.toSeconds(), TimeUnit.SECONDS);
      if (line == null) {
        connection.close(); // a late response must not be mistaken for that of another request
        throw new IOException("it does not respond");
      }
      if (line.equals(END)) {
        answers.add(END);
        throw new IOException("it has ended: " + errors.strip());
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
