package dev.trainyard.engine.docker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Unused networks that are kept for the next jobs. After a burst of jobs the pool contains many
 * networks, which the next burst can reuse; networks that were not needed between two checks are
 * removed. Not thread-safe.
 */
final class NetworkPool {
  /** Number of networks that are kept even if they are unused for a long time. */
  static final int MIN_KEPT = 4;

  static final int MAX_SIZE = 32;

  /** Unused networks; the network that was added last is reused first. */
  private final Deque<AddressRange> networks = new ArrayDeque<>();

  /** Minimum size since the last check; this number of networks was not needed. */
  private int minSize;

  Optional<AddressRange> poll() {
    Optional<AddressRange> network = Optional.ofNullable(networks.poll());
    minSize = Math.min(minSize, networks.size());
    return network;
  }

  /** Adds a network; returns false if the pool is full. */
  boolean add(AddressRange range) {
    if (networks.size() >= MAX_SIZE) {
      return false;
    }
    networks.push(range);
    return true;
  }

  int size() {
    return networks.size();
  }

  /**
   * Removes and returns the networks that were not needed since the last call, but keeps {@link
   * #MIN_KEPT} networks.
   */
  List<AddressRange> removeUnneeded() {
    List<AddressRange> unneeded = new ArrayList<>();
    for (int count = minSize; count > MIN_KEPT; count--) {
      unneeded.add(networks.removeLast());
    }
    minSize = networks.size();
    return unneeded;
  }

  List<AddressRange> removeAll() {
    List<AddressRange> removed = List.copyOf(networks);
    networks.clear();
    minSize = 0;
    return removed;
  }
}
