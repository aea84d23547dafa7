package dev.trainyard.engine.linux;

import dev.trainyard.engine.EngineException;

/**
 * The host IDs of one platform user. IDs of the host's own users and of other container tools are
 * lower; see docs/rationale.md. The first users get ranges from the middle upwards; when these are
 * used up, further users get ranges from the middle downwards.
 *
 * @param base the host ID of the task's root user
 */
public record IdRange(int base) {
  public static final int SIZE = 65536;
  private static final int LOWEST = 0x3C000000;
  private static final int FIRST = 0x70000000;
  private static final int END = 0x7FFE0000;
  private static final int UPWARD = (END - FIRST) / SIZE;

  public static IdRange of(int user) {
    if (user < 0 || user >= capacity()) {
      throw new EngineException(
          "user number "
              + user
              + " has no host IDs: the process engine supports at most "
              + capacity()
              + " users");
    }
    int steps = user < UPWARD ? user : UPWARD - 1 - user;
    return new IdRange(FIRST + steps * SIZE);
  }

  /** Returns a range that no user has, for probing the host's features. */
  public static IdRange spare() {
    return new IdRange(END);
  }

  public static int capacity() {
    return (END - LOWEST) / SIZE;
  }

  /** Returns whether a host ID belongs to a platform user. */
  public static boolean isOfAUser(int id) {
    return id >= LOWEST && id < END;
  }

  public boolean contains(int id) {
    return id >= base && id < base + SIZE;
  }

  /** Returns the range in the format of {@code uid_map}. */
  public String mapping() {
    return "0 " + base + " " + SIZE + "\n";
  }
}
