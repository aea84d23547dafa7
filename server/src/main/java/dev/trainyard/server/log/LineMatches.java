package dev.trainyard.server.log;

import dev.trainyard.server.http.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds lines that contain one of some texts, byte by byte, so that a log in any encoding can be
 * searched. Capital and small letters may count as the same: those of ASCII.
 */
final class LineMatches implements Reply.Sink {
  private final List<byte[]> texts;
  private final boolean[] first = new boolean[256];
  private final byte[] fold = new byte[256];
  private final int longest;
  private final int most;
  private final List<Long> found = new ArrayList<>();
  private byte[] window = new byte[0];

  /** Where the window begins. */
  private long position;

  private boolean lineIsFound;

  LineMatches(List<String> texts, boolean ignoreCase, long from, int most) {
    for (int i = 0; i < fold.length; i++) {
      fold[i] = (byte) (ignoreCase && i >= 'A' && i <= 'Z' ? i + 'a' - 'A' : i);
    }
    this.texts = texts.stream().map(this::folded).toList();
    this.texts.forEach(text -> first[text[0] & 0xFF] = true);
    this.longest = this.texts.stream().mapToInt(text -> text.length).max().orElseThrow();
    this.most = most;
    this.position = from;
  }

  private byte[] folded(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = fold[bytes[i] & 0xFF];
    }
    return bytes;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    byte[] joined = new byte[window.length + length];
    System.arraycopy(window, 0, joined, 0, window.length);
    for (int i = 0; i < length; i++) {
      joined[window.length + i] = fold[bytes[offset + i] & 0xFF];
    }
    window = joined;
    search(Math.max(0, window.length - longest + 1));
  }

  /** What could not be searched before, as a longer text might have begun there. */
  void finish() {
    search(window.length);
  }

  private void search(int end) {
    int at = 0;
    for (; at < end && !full(); at++) {
      byte here = window[at];
      if (here == '\n') {
        lineIsFound = false;
      } else if (!lineIsFound && first[here & 0xFF] && isMatch(at)) {
        lineIsFound = true;
        found.add(position + at);
      }
    }
    byte[] rest = new byte[window.length - at];
    System.arraycopy(window, at, rest, 0, rest.length);
    window = rest;
    position += at;
  }

  private boolean isMatch(int at) {
    return texts.stream().anyMatch(text -> startsWith(at, text));
  }

  private boolean startsWith(int at, byte[] text) {
    if (at + text.length > window.length) {
      return false;
    }
    for (int i = 0; i < text.length; i++) {
      if (window[at + i] != text[i]) {
        return false;
      }
    }
    return true;
  }

  /** As many as wanted: no need to go on. */
  boolean full() {
    return found.size() >= most;
  }

  @Override
  public boolean closed() {
    return full();
  }

  /** Where in the log each match stands, one for a line. */
  List<Long> found() {
    return found;
  }
}
