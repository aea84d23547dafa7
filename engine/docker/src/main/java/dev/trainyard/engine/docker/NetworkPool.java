package dev.trainyard.engine.docker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Networks without a job that are kept for the next jobs. After a burst of jobs there are many,
 * which the next burst can reuse; networks that were not needed between two checks are removed. Not
 * thread-safe.
 */
final class NetworkPool {
  /** This number is kept even if unused for a long time. */
  static final int FEW = 4;

  static final int MOST = 32;

  /** The network that was added last is reused first. */
  private final Deque<AddressRange> all = new ArrayDeque<>();

  /** The minimum size since the last check: this number was not needed. */
  private int fewest;

  Optional<AddressRange> take() {
    Optional<AddressRange> taken = Optional.ofNullable(all.poll());
    fewest = Math.min(fewest, all.size());
    return taken;
  }

  /** Adds a network; returns false if the pool is full. */
  boolean add(AddressRange range) {
    if (all.size() >= MOST) {
      return false;
    }
    all.push(range);
    return true;
  }

  int size() {
    return all.size();
  }

  /**
   * Removes and returns the networks, except {@link #FEW}, that were not needed since the last
   * call.
   */
  List<AddressRange> unneeded() {
    List<AddressRange> unneeded = new ArrayList<>();
    for (int left = fewest; left > FEW; left--) {
      unneeded.add(all.removeLast());
    }
    fewest = all.size();
    return unneeded;
  }

  List<AddressRange> takeAll() {
    List<AddressRange> taken = List.copyOf(all);
    all.clear();
    fewest = 0;
    return taken;
  }
}
