package dev.trainyard.engine.docker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Networks without a job, kept for the next ones. After a rush there are many, which the next rush
 * needs again; what nobody has needed from one look to the next goes. Not thread-safe.
 */
final class NetworkPool {
  /** So many stay however long nobody needs them. */
  static final int FEW = 4;

  static final int MOST = 32;

  /** The last that came is the first to be used again. */
  private final Deque<AddressRange> all = new ArrayDeque<>();

  /** The fewest there were since the last look: that many were not needed. */
  private int fewest;

  Optional<AddressRange> take() {
    Optional<AddressRange> taken = Optional.ofNullable(all.poll());
    fewest = Math.min(fewest, all.size());
    return taken;
  }

  /** False if there are enough. */
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

  /** Takes out those beyond the few that were not needed since this was asked before. */
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
