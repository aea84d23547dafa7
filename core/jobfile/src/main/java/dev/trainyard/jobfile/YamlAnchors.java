package dev.trainyard.jobfile;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The anchored values of a YAML document, and the size of the document with every alias expanded:
 * nine lines of aliases of aliases can expand to gigabytes.
 */
final class YamlAnchors {
  /** Maximum size in characters and values; a file without aliases never gets near it. */
  static final long MOST = 2L * JobFiles.MAX_LENGTH;

  private final Map<String, Kept> kept = new HashMap<>();
  private final Set<String> open = new HashSet<>();
  private final Deque<Size> sizes = new ArrayDeque<>();
  private long copied;

  YamlAnchors() {
    sizes.push(new Size());
  }

  /**
   * An anchored value.
   *
   * @param height number of levels within it
   */
  record Kept(Located value, long weight, int height) {}

  private static final class Size {
    private long weight = 1;
    private int height;

    void add(long more, int levels) {
      weight += more;
      height = Math.max(height, levels);
    }
  }

  /**
   * Starts a value.
   *
   * @param name its anchor; null if it has none
   */
  void open(String name) {
    sizes.push(new Size());
    if (name != null) {
      kept.remove(name);
      open.add(name);
    }
  }

  /** Ends the value that was started last. */
  void close(String name, Located value) {
    Size size = sizes.pop();
    if (value instanceof Located.Text text) {
      size.add(text.value().length(), 0);
    }
    sizes.element().add(size.weight, size.height + 1);
    if (name != null) {
      open.remove(name);
      kept.put(name, new Kept(value, size.weight, size.height));
    }
  }

  /** Adds weight to the value that was started last, in addition to the values in it. */
  void add(long weight) {
    sizes.element().add(weight, 0);
  }

  /** Returns the value of that anchor, or null. */
  Kept find(String name) {
    return kept.get(name);
  }

  /** Returns whether a value with that anchor has started but not ended. */
  boolean isOpen(String name) {
    return open.contains(name);
  }

  /** Counts an alias; returns false if the expanded document gets too large. */
  boolean copy(Kept value) {
    sizes.element().add(value.weight(), value.height() + 1);
    copied += value.weight();
    return copied <= MOST;
  }
}
