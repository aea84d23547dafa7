package dev.trainyard.server.log;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds lines that contain one of several texts. Compares bytes, so that a log in any encoding can
 * be searched; case-insensitive matching covers ASCII letters only. Each byte of the log is
 * processed once, regardless of the number of texts.
 */
final class LineMatches implements LogScan {
  private static final long NONE = -1;

  private final List<byte[]> texts;
  private final boolean ignoreCase;
  private final int maxMatches;
  private final List<Long> matchOffsets = new ArrayList<>();
  private long position;

  /** Null between two chunks, see {@link #endChunk}. */
  private TextAutomaton automaton;

  private int state;

  /**
   * Offset of the leftmost match found in the current line, while a match that begins before it may
   * still complete.
   */
  private long candidate = NONE;

  private boolean lineMatched;

  LineMatches(List<String> texts, boolean ignoreCase, long from, int maxMatches) {
    this.texts = texts.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
    this.ignoreCase = ignoreCase;
    this.maxMatches = maxMatches;
    this.position = from;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    if (automaton == null) {
      // A rebuilt automaton has the same state numbers.
      automaton = new TextAutomaton(texts, ignoreCase);
    }
    for (int i = offset; i < offset + length && !isFull(); i++) {
      byte currentByte = bytes[i];
      if (currentByte == '\n') {
        addCandidate();
        lineMatched = false;
        state = TextAutomaton.START;
      } else if (!lineMatched) {
        step(currentByte);
      }
      position++;
    }
  }

  private void step(byte currentByte) {
    state = automaton.next(state, currentByte);
    int matchLength = automaton.matchLength(state);
    if (matchLength > 0) {
      long matchStart = position + 1 - matchLength;
      candidate = candidate == NONE ? matchStart : Math.min(candidate, matchStart);
    }
    if (candidate != NONE && position + 1 - automaton.depth(state) >= candidate) {
      addCandidate();
    }
  }

  private void addCandidate() {
    if (candidate != NONE) {
      matchOffsets.add(candidate);
      candidate = NONE;
      lineMatched = true;
      state = TextAutomaton.START;
    }
  }

  /**
   * Releases the automaton, which needs megabytes, because many searches may be waiting for a
   * thread to read their next chunk. Rebuilding the automaton takes less time than reading a
   * hundredth of a chunk.
   */
  @Override
  public void endChunk() {
    automaton = null;
  }

  boolean holdsAutomaton() {
    return automaton != null;
  }

  /** Must be called after the last byte. */
  void finish() {
    addCandidate();
  }

  /** Returns whether the maximum number of matches is reached, so that reading can stop. */
  boolean isFull() {
    return matchOffsets.size() >= maxMatches;
  }

  @Override
  public boolean closed() {
    return isFull();
  }

  /** Returns the offsets of the matches in the log, at most one per line. */
  List<Long> matchOffsets() {
    return matchOffsets;
  }
}
