package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import java.util.HashSet;
import java.util.Set;

/**
 * Allocates loopback addresses, one per task, so that tasks on one host can listen on the same
 * port. The addresses are stored in the tasks' specs; this class only tracks which addresses are in
 * use. Thread-safe.
 */
final class Addresses {
  /** Start of 127.64.0.0/10. The first and the last address of each block of 256 are not used. */
  private static final int FIRST_ADDRESS = 127 << 24 | 64 << 16;

  private static final int ADDRESS_COUNT = 1 << 22;

  private final Set<String> usedAddresses = new HashSet<>();
  private int nextOffset;

  /**
   * @param startOffset offset of the first address to allocate; two servers on one host should not
   *     start with the same address
   */
  Addresses(int startOffset) {
    nextOffset = Math.floorMod(startOffset, ADDRESS_COUNT);
  }

  /** Marks an address as in use by an existing task. */
  synchronized void markUsed(String address) {
    usedAddresses.add(address);
  }

  /** Allocates a free address; released addresses are reused as late as possible. */
  synchronized String allocate() {
    for (int i = 0; i < ADDRESS_COUNT; i++) {
      int offset = nextOffset;
      nextOffset = (nextOffset + 1) % ADDRESS_COUNT;
      int lastByte = offset & 0xFF;
      String address = format(FIRST_ADDRESS + offset);
      if (lastByte != 0 && lastByte != 0xFF && usedAddresses.add(address)) {
        return address;
      }
    }
    throw EngineException.transientFailure(
        "all " + ADDRESS_COUNT + " addresses for tasks are in use");
  }

  synchronized void release(String address) {
    usedAddresses.remove(address);
  }

  private static String format(int address) {
    return "%d.%d.%d.%d"
        .formatted(address >>> 24, address >>> 16 & 0xFF, address >>> 8 & 0xFF, address & 0xFF);
  }
}
