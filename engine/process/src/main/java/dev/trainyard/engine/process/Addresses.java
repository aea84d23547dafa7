package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import java.util.HashSet;
import java.util.Set;

/**
 * Loopback addresses, one per task, so that tasks of one machine can listen on the same port. They
 * are kept with the tasks' specs; here is only which are taken. Thread-safe.
 */
final class Addresses {
  /** 127.64.0.0/10, without the ends. */
  private static final int FIRST = 127 << 24 | 64 << 16;

  private static final int COUNT = 1 << 22;

  private final Set<String> taken = new HashSet<>();
  private int next;

  /**
   * @param start where to begin; two servers of one machine should not begin at the same
   */
  Addresses(int start) {
    next = Math.floorMod(start, COUNT);
  }

  /** Remembers one that a task has already. */
  synchronized void keep(String address) {
    taken.add(address);
  }

  /** One that no task has; those given back are used again as late as possible. */
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
    throw EngineException.passing("all " + COUNT + " addresses for tasks are taken");
  }

  synchronized void release(String address) {
    taken.remove(address);
  }

  private static String text(int address) {
    return "%d.%d.%d.%d"
        .formatted(address >>> 24, address >>> 16 & 0xFF, address >>> 8 & 0xFF, address & 0xFF);
  }
}
