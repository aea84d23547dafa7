package dev.trainyard.server.log;

import java.util.List;

/**
 * Aho-Corasick automaton: recognizes several texts at once with one step per byte. A state
 * represents the longest suffix of the input that is a prefix of a text.
 */
final class TextAutomaton {
  static final int START = 0;

  /** Class of each byte. All bytes that occur in no text share one class. */
  private final int[] classes = new int[256];

  private final int classCount;
  private final int[] next;
  private final int[] depth;
  private final int[] matchLength;

  /**
   * @param texts non-empty texts
   * @param ignoreCase whether to ignore the case of ASCII letters
   */
  TextAutomaton(List<byte[]> texts, boolean ignoreCase) {
    int nextClass = 1;
    for (byte[] text : texts) {
      for (byte byteValue : text) {
        int letter = foldCase(byteValue, ignoreCase);
        if (classes[letter] == 0) {
          classes[letter] = nextClass++;
        }
      }
    }
    for (int letter = 0; ignoreCase && letter < classes.length; letter++) {
      classes[letter] = classes[foldCase((byte) letter, true)];
    }
    this.classCount = nextClass;
    int maxStates = 1 + texts.stream().mapToInt(text -> text.length).sum();
    this.next = new int[maxStates * classCount];
    this.depth = new int[maxStates];
    this.matchLength = new int[maxStates];
    link(insert(texts));
  }

  private static int foldCase(byte byteValue, boolean ignoreCase) {
    return ignoreCase && byteValue >= 'A' && byteValue <= 'Z'
        ? byteValue + 'a' - 'A'
        : byteValue & 0xFF;
  }

  /** Builds the tree of all prefixes. Returns the number of states. */
  private int insert(List<byte[]> texts) {
    int states = 1;
    for (byte[] text : texts) {
      int state = START;
      for (byte byteValue : text) {
        int edge = state * classCount + classes[byteValue & 0xFF];
        if (next[edge] == START) {
          depth[states] = depth[state] + 1;
          next[edge] = states++;
        }
        state = next[edge];
      }
      matchLength[state] = text.length;
    }
    return states;
  }

  /** Adds the transitions that leave the tree, in breadth-first order. */
  private void link(int states) {
    int[] fallback = new int[states];
    int[] queue = new int[states];
    int queueEnd = 1;
    for (int position = 0; position < queueEnd; position++) {
      int state = queue[position];
      matchLength[state] = Math.max(matchLength[state], matchLength[fallback[state]]);
      for (int letter = 1; letter < classCount; letter++) {
        int edge = state * classCount + letter;
        int fallbackTarget = state == START ? START : next[fallback[state] * classCount + letter];
        if (next[edge] == START) {
          next[edge] = fallbackTarget;
        } else {
          fallback[next[edge]] = fallbackTarget;
          queue[queueEnd++] = next[edge];
        }
      }
    }
  }

  int next(int state, byte byteValue) {
    return next[state * classCount + classes[byteValue & 0xFF]];
  }

  /** Returns the length of the longest text that ends in this state; 0 if no text ends there. */
  int matchLength(int state) {
    return matchLength[state];
  }

  /** Returns the length of the longest suffix of the input that is a prefix of a text. */
  int depth(int state) {
    return depth[state];
  }
}
