package dev.trainyard.engine.testkit;

import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * Something a test needs of the machine. Where it is missing the test is skipped with the reason,
 * unless the environment variable TRAINYARD_REQUIRE names it: then the test fails.
 */
public final class Requirement {
  private Requirement() {}

  public static void require(String name, boolean there, String reason) {
    String required = System.getenv().getOrDefault("TRAINYARD_REQUIRE", "");
    if (!there && List.of(required.split(",")).contains(name)) {
      Assertions.fail("TRAINYARD_REQUIRE names " + name + ": " + reason);
    }
    Assumptions.assumeTrue(there, reason);
  }
}
