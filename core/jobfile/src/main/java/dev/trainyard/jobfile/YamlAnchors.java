package dev.trainyard.jobfile;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The values of a YAML document that have a name, and how much the document is once every reference
 * is replaced by what it means: nine lines of references to references can mean gigabytes.
 */
final class YamlAnchors {
  /** In characters and values; a file without references never gets near it. */
  static final long MOST = 2L * JobFiles.MAX_LENGTH;

  private final Map<String, Kept> kept = new HashMap<>();
  private final Set<String> open = new HashSet<>();
  private final Deque<Size> sizes = new ArrayDeque<>();
  private long copied;

  YamlAnchors() {
    sizes.push(new Size());
  }

  /**
   * A value with a name.
   *
   * @param height how many levels are within it
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

  /** A value begins; it has a name, or none if that is null. */
  void open(String name) {
    sizes.push(new Size());
    if (name != null) {
      kept.remove(name);
      open.add(name);
    }
  }

  /** The value that began last ends. */
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

  /** The value that began last has more in it than values. */
  void add(long weight) {
    sizes.element().add(weight, 0);
  }

  /** The value of that name, or null. */
  Kept find(String name) {
    return kept.get(name);
  }

  /** Whether a value of that name has begun, but not ended. */
  boolean isOpen(String name) {
    return open.contains(name);
  }

  /** Counts a reference; false if the document gets too much by it. */
  boolean copy(Kept value) {
    sizes.element().add(value.weight(), value.height() + 1);
    copied += value.weight();
    return copied <= MOST;
  }
}
