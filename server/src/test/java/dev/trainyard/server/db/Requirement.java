package dev.trainyard.server.db;

import java.util.Arrays;
import java.util.Optional;
import org.opentest4j.TestAbortedException;

/** What a machine may lack. Named in TRAINYARD_REQUIRE, its lack is a failure and not a skip. */
public final class Requirement {
  private Requirement() {}

  /** Ends the running test as skipped, or as failed where this must be there. */
  public static RuntimeException missing(String name, String reason, Throwable cause) {
    String required = Optional.ofNullable(System.getenv("TRAINYARD_REQUIRE")).orElse("");
    if (Arrays.asList(required.split(",", -1)).contains(name)) {
      throw new AssertionError(name + " is required here: " + reason, cause);
    }
    return new TestAbortedException("skipped, no " + name + ": " + reason, cause);
  }
}
