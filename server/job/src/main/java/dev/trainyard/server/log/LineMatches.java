package dev.trainyard.server.log;

import dev.trainyard.server.http.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds lines that contain one of several texts. Compares bytes, so that a log in any encoding can
 * be searched; case-insensitive matching covers ASCII letters only. Each byte of the log is
 * processed once, regardless of the number of texts.
 */
final class LineMatches implements Reply.Sink {
  private static final long NONE = -1;

  private final TextAutomaton texts;
  private final int maxMatches;
  private final List<Long> found = new ArrayList<>();
  private long position;
  private int state;

  /**
   * Offset of the leftmost match of the current line, as long as an earlier match may still
   * complete.
   */
  private long candidate = NONE;

  private boolean lineIsFound;

  LineMatches(List<String> texts, boolean ignoreCase, long from, int maxMatches) {
    List<byte[]> bytes = texts.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
    this.texts = new TextAutomaton(bytes, ignoreCase);
    this.maxMatches = maxMatches;
    this.position = from;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    for (int i = offset; i < offset + length && !full(); i++) {
      byte here = bytes[i];
      if (here == '\n') {
        take();
        lineIsFound = false;
        state = TextAutomaton.START;
      } else if (!lineIsFound) {
        step(here);
      }
      position++;
    }
  }

  private void step(byte here) {
    state = texts.next(state, here);
    int matched = texts.matched(state);
    if (matched > 0) {
      long begin = position + 1 - matched;
      candidate = candidate == NONE ? begin : Math.min(candidate, begin);
    }
    if (candidate != NONE && position + 1 - texts.depth(state) >= candidate) {
      take();
    }
  }

  private void take() {
    if (candidate != NONE) {
      found.add(candidate);
      candidate = NONE;
      lineIsFound = true;
      state = TextAutomaton.START;
    }
  }

  /** Must be called after the last byte. */
  void finish() {
    take();
  }

  /** Returns whether the maximum number of matches is reached, so that reading can stop. */
  boolean full() {
    return found.size() >= maxMatches;
  }

  @Override
  public boolean closed() {
    return full();
  }

  /** Returns the offset of each match in the log, one per line. */
  List<Long> found() {
    return found;
  }
}
