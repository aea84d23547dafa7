package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import java.util.HashSet;
import java.util.Set;

/**
 * Allocates loopback addresses, one per task, so that tasks on one host can listen on the same
 * port. The addresses are stored in the tasks' specs; this class only tracks which are in use.
 * Thread-safe.
 */
final class Addresses {
  /** 127.64.0.0/10, without the first and the last address of each block of 256. */
  private static final int FIRST = 127 << 24 | 64 << 16;

  private static final int COUNT = 1 << 22;

  private final Set<String> taken = new HashSet<>();
  private int next;

  /**
   * @param start where to begin; two servers on one host should not begin at the same address
   */
  Addresses(int start) {
    next = Math.floorMod(start, COUNT);
  }

  /** Marks an address as in use by an existing task. */
  synchronized void keep(String address) {
    taken.add(address);
  }

  /** Allocates a free address; released addresses are reused as late as possible. */
  synchronized String take() {
    for (int i = 0; i < COUNT; i++) {
      int number = next;
      next = (next + 1) % COUNT;
      int last = number & 0xFF;
      String address = text(FIRST + number);
      if (last != 0 && last != 0xFF && taken.add(address)) {
        return address;
      }
    }
    throw EngineException.passing("all " + COUNT + " addresses for tasks are in use");
  }

  synchronized void release(String address) {
    taken.remove(address);
  }

  private static String text(int address) {
    return "%d.%d.%d.%d"
        .formatted(address >>> 24, address >>> 16 & 0xFF, address >>> 8 & 0xFF, address & 0xFF);
  }
}
