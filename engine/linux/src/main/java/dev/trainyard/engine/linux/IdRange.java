package dev.trainyard.engine.linux;

import dev.trainyard.engine.EngineException;

/**
 * The host IDs of one platform user. The IDs of the host's own users and of other container tools
 * are lower than all ranges; see docs/rationale.md. The first users get ranges from the middle
 * upwards; when these are used up, further users get ranges from the middle downwards.
 *
 * @param base the host ID of the task's root user
 */
public record IdRange(int base) {
  public static final int SIZE = 65536;
  private static final int LOWEST_BASE = 0x3C000000;
  private static final int FIRST_BASE = 0x70000000;
  private static final int END = 0x7FFE0000;
  private static final int UPWARD_COUNT = (END - FIRST_BASE) / SIZE;

  public static IdRange of(int user) {
    if (user < 0 || user >= capacity()) {
      throw new EngineException(
          "user number "
              + user
              + " has no host IDs: the process engine supports at most "
              + capacity()
              + " users");
    }
    int steps = user < UPWARD_COUNT ? user : UPWARD_COUNT - 1 - user;
    return new IdRange(FIRST_BASE + steps * SIZE);
  }

  /**
   * Returns a range that belongs to no user, for tests of the host's features and for shared files.
   */
  public static IdRange spare() {
    return new IdRange(END);
  }

  public static int capacity() {
    return (END - LOWEST_BASE) / SIZE;
  }

  /** Returns whether a host ID belongs to a platform user. */
  public static boolean belongsToUser(int id) {
    return id >= LOWEST_BASE && id < END;
  }

  public boolean contains(int id) {
    return id >= base && id < base + SIZE;
  }

  /** Returns the range in the format of {@code uid_map}. */
  public String mapping() {
    return "0 " + base + " " + SIZE + "\n";
  }
}
