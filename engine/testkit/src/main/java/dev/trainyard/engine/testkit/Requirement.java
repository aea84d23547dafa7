package dev.trainyard.engine.testkit;

import java.util.List;
import org.opentest4j.TestAbortedException;

/**
 * A prerequisite of a test on the host. If it is missing, the test is skipped with the reason; but
 * if the environment variable TRAINYARD_REQUIRE names it, the test fails.
 */
public final class Requirement {
  private Requirement() {}

  /** Skips or fails the test if the prerequisite is missing. */
  public static void require(String name, boolean isPresent, String reason) {
    if (!isPresent) {
      throw missing(name, reason, null);
    }
  }

  /**
   * Returns the exception that skips the test, or fails the test if the prerequisite is required.
   */
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
