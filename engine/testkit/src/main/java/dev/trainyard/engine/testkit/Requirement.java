package dev.trainyard.engine.testkit;

import java.util.List;
import org.opentest4j.TestAbortedException;

/**
 * Something a test needs of the machine. Where it is missing the test is skipped with the reason,
 * unless the environment variable TRAINYARD_REQUIRE names it: then the test fails.
 */
public final class Requirement {
  private Requirement() {}

  /** Goes on only if it is there. */
  public static void require(String name, boolean there, String reason) {
    if (!there) {
      throw missing(name, reason, null);
    }
  }

  /** What ends a test that can't go on, skipped or failed. */
  public static RuntimeException missing(String name, String reason, Throwable cause) {
    return missing(System.getenv().getOrDefault("TRAINYARD_REQUIRE", ""), name, reason, cause);
  }

  static RuntimeException missing(String required, String name, String reason, Throwable cause) {
    if (List.of(required.split(",", -1)).contains(name)) {
      throw new AssertionError("TRAINYARD_REQUIRE names " + name + ": " + reason, cause);
    }
    return new TestAbortedException("skipped, no " + name + ": " + reason, cause);
  }
}
