package dev.trainyard.server.log;

import java.util.List;

/**
 * Aho-Corasick automaton: recognizes several texts at once with one step per byte. A state
 * represents the longest prefix of a text that the bytes so far end with.
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
   * @param texts non-empty texts
   * @param ignoreCase whether to ignore the case of ASCII letters
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
    int maxMatches = 1 + texts.stream().mapToInt(text -> text.length).sum();
    this.next = new int[maxMatches * width];
    this.depth = new int[maxMatches];
    this.matched = new int[maxMatches];
    link(insert(texts));
  }

  private static int folded(byte one, boolean ignoreCase) {
    return ignoreCase && one >= 'A' && one <= 'Z' ? one + 'a' - 'A' : one & 0xFF;
  }

  /** Builds the tree of all prefixes. Returns the number of states. */
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

  /** Adds the transitions that leave the tree, in breadth-first order. */
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

  /** Returns the length of the longest text that ends here; 0 if there is none. */
  int matched(int state) {
    return matched[state];
  }

  /** Returns the length of the longest suffix of the input that may be the start of a text. */
  int depth(int state) {
    return depth[state];
  }
}
