package dev.trainyard.cli.job;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Prefixes each line with the name of its task, because the logs of several tasks are interleaved.
 */
final class LinePrefix implements LogCopy.Sink {
  /** Longer lines are written in pieces instead of being kept in memory. */
  private static final int MAX_LINE_LENGTH = 64 << 10;

  private final byte[] prefix;
  private final LogCopy.Sink sink;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  LinePrefix(String prefix, LogCopy.Sink sink) {
    this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
    this.sink = sink;
  }

  @Override
  public void write(byte[] bytes, int length) {
    for (int i = 0; i < length; i++) {
      line.write(bytes[i]);
      if (bytes[i] == '\n' || line.size() >= MAX_LINE_LENGTH) {
        flush();
      }
    }
  }

  /** Also called at the end of the log, for a last line without a line feed. */
  void flush() {
    if (line.size() == 0) {
      return;
    }
    ByteArrayOutputStream prefixedLine = new ByteArrayOutputStream();
    prefixedLine.writeBytes(prefix);
    prefixedLine.writeBytes(line.toByteArray());
    byte[] text = line.toByteArray();
    if (text[text.length - 1] != '\n') {
      prefixedLine.write('\n');
    }
    line.reset();
    sink.write(prefixedLine.toByteArray(), prefixedLine.size());
  }
}
