package dev.trainyard.engine.linux;

import dev.trainyard.engine.EngineException;

/**
 * The host ids of one platform user. Ids of the machine's own users and of other container tools
 * are lower; see docs/rationale.md. The first users have ranges from the middle upwards, and after
 * these are used up the others have ranges from the middle downwards.
 *
 * @param base what the task's root is outside
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
              + " has no host ids: the process engine has room for "
              + capacity()
              + " users");
    }
    int steps = user < UPWARD ? user : UPWARD - 1 - user;
    return new IdRange(FIRST + steps * SIZE);
  }

  /** Kept for trying out the machine: no user has it. */
  public static IdRange spare() {
    return new IdRange(END);
  }

  public static int capacity() {
    return (END - LOWEST) / SIZE;
  }

  /** Whether a host id is one of those that users of the platform have. */
  public static boolean isOfAUser(int id) {
    return id >= LOWEST && id < END;
  }

  public boolean contains(int id) {
    return id >= base && id < base + SIZE;
  }

  /** How the kernel wants it in {@code uid_map}. */
  public String mapping() {
    return "0 " + base + " " + SIZE + "\n";
  }
}
