package dev.trainyard.server.log;

import java.util.List;

/**
 * Aho-Corasick automaton: recognizes all of some texts at once with one step for each byte. A state
 * is the longest beginning of a text that the bytes so far end with.
 */
final class TextAutomaton {
  static final int START = 0;

  /** Class of each byte. All bytes that occur in no text share one class. */
  private final int[] classes = new int[256];

  private final int width;
  private final int[] next;
  private final int[] depth;
  private final int[] matched;

  /**
   * @param texts none is empty
   * @param ignoreCase whether capital and small letters of ASCII are the same
   */
  TextAutomaton(List<byte[]> texts, boolean ignoreCase) {
    int used = 1;
    for (byte[] text : texts) {
      for (byte one : text) {
        int letter = folded(one, ignoreCase);
        if (classes[letter] == 0) {
          classes[letter] = used++;
        }
      }
    }
    for (int letter = 0; ignoreCase && letter < classes.length; letter++) {
      classes[letter] = classes[folded((byte) letter, true)];
    }
    this.width = used;
    int most = 1 + texts.stream().mapToInt(text -> text.length).sum();
    this.next = new int[most * width];
    this.depth = new int[most];
    this.matched = new int[most];
    link(insert(texts));
  }

  private static int folded(byte one, boolean ignoreCase) {
    return ignoreCase && one >= 'A' && one <= 'Z' ? one + 'a' - 'A' : one & 0xFF;
  }

  /** Builds the tree of all beginnings; returns how many there are. */
  private int insert(List<byte[]> texts) {
    int states = 1;
    for (byte[] text : texts) {
      int state = START;
      for (byte one : text) {
        int edge = state * width + classes[one & 0xFF];
        if (next[edge] == START) {
          depth[states] = depth[state] + 1;
          next[edge] = states++;
        }
        state = next[edge];
      }
      matched[state] = text.length;
    }
    return states;
  }

  /** Adds the steps that leave the tree, state by state in the order of their depth. */
  private void link(int states) {
    int[] fallback = new int[states];
    int[] order = new int[states];
    int end = 1;
    for (int at = 0; at < end; at++) {
      int state = order[at];
      matched[state] = Math.max(matched[state], matched[fallback[state]]);
      for (int letter = 1; letter < width; letter++) {
        int edge = state * width + letter;
        int other = state == START ? START : next[fallback[state] * width + letter];
        if (next[edge] == START) {
          next[edge] = other;
        } else {
          fallback[next[edge]] = other;
          order[end++] = next[edge];
        }
      }
    }
  }

  int next(int state, byte one) {
    return next[state * width + classes[one & 0xFF]];
  }

  /** Length of the longest text that ends here; 0 if none does. */
  int matched(int state) {
    return matched[state];
  }

  /** Number of bytes before this point that a text may begin with. */
  int depth(int state) {
    return depth[state];
  }
}
