package dev.trainyard.server.log;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts the lines of a log and records the start offsets of some lines, about one per {@link
 * #STEP} bytes, so that a viewer can find any line by reading only a small part of the log.
 */
final class LineStarts implements LogScan {
  static final int STEP = 128 * 1024;

  /**
   * @param lines number of line ends between the start of the scan and this line
   */
  record Start(long offset, long lines) {}

  private final List<Start> starts = new ArrayList<>();
  private long position;
  private long lastStep;
  private long lines;

  LineStarts(long from) {
    this.position = from;
    this.lastStep = from / STEP;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    for (int i = 0; i < length; i++) {
      if (bytes[offset + i] == '\n') {
        lines++;
        long lineStart = position + i + 1;
        if (lineStart / STEP > lastStep) {
          lastStep = lineStart / STEP;
          starts.add(new Start(lineStart, lines));
        }
      }
    }
    position += length;
  }

  @Override
  public boolean closed() {
    return false;
  }

  @Override
  public void endChunk() {}

  List<Start> starts() {
    return starts;
  }

  long lines() {
    return lines;
  }
}
