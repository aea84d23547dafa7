package dev.trainyard.jobfile;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The anchored values of a YAML document, and the size of the document with all aliases expanded.
 * The size is limited because nine lines of nested aliases can expand to gigabytes.
 */
final class YamlAnchors {
  /** Maximum size of the expanded aliases in characters and values. */
  static final long MAX_EXPANDED_SIZE = 2L * JobFiles.MAX_LENGTH;

  private final Map<String, AnchoredValue> valuesByAnchor = new HashMap<>();
  private final Set<String> openAnchors = new HashSet<>();
  private final Deque<Size> sizes = new ArrayDeque<>();
  private long expandedSize;

  YamlAnchors() {
    sizes.push(new Size());
  }

  /**
   * An anchored value.
   *
   * @param height number of nested levels in the value
   */
  record AnchoredValue(DocumentValue value, long size, int height) {}

  private static final class Size {
    private long size = 1;
    private int height;

    void add(long addedSize, int innerHeight) {
      size += addedSize;
      height = Math.max(height, innerHeight);
    }
  }

  /**
   * Starts a value.
   *
   * @param name its anchor; null if it has none
   */
  void startValue(String name) {
    sizes.push(new Size());
    if (name != null) {
      valuesByAnchor.remove(name);
      openAnchors.add(name);
    }
  }

  /** Ends the value that was started last. */
  void endValue(String name, DocumentValue value) {
    Size size = sizes.pop();
    if (value instanceof DocumentValue.Text text) {
      size.add(text.value().length(), 0);
    }
    sizes.element().add(size.size, size.height + 1);
    if (name != null) {
      openAnchors.remove(name);
      valuesByAnchor.put(name, new AnchoredValue(value, size.size, size.height));
    }
  }

  /** Adds to the size of the value that was started last, in addition to the values in it. */
  void add(long size) {
    sizes.element().add(size, 0);
  }

  /** Returns the value of that anchor, or null. */
  AnchoredValue find(String name) {
    return valuesByAnchor.get(name);
  }

  /** Returns whether a value with that anchor has started but not ended. */
  boolean isOpen(String name) {
    return openAnchors.contains(name);
  }

  /** Adds the size of an alias; returns false if the expanded document gets too large. */
  boolean addAlias(AnchoredValue value) {
    sizes.element().add(value.size(), value.height() + 1);
    expandedSize += value.size();
    return expandedSize <= MAX_EXPANDED_SIZE;
  }
}
