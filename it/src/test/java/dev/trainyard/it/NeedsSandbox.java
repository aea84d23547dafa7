package dev.trainyard.it;

import dev.trainyard.engine.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;

/**
 * Base class of tests that run tasks; the account that runs these tests must be able to create a
 * sandbox.
 */
abstract class NeedsSandbox {
  static final boolean ROOT = "root".equals(System.getProperty("user.name"));

  @BeforeAll
  static void needSandbox() throws Exception {
    if (!ROOT) {
      Requirement.require("user", canCreateNamespaces(), "the kernel allows no user namespaces");
    }
  }

  private static boolean canCreateNamespaces() throws InterruptedException {
    try {
      return new ProcessBuilder("unshare", "--user", "--map-root-user", "--mount", "true")
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
