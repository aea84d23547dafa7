package dev.trainyard.it;

import dev.trainyard.engine.testkit.Requirement;
import org.junit.jupiter.api.BeforeAll;

/** Tests that run tasks: the process engine of this version needs a server run as root. */
abstract class RootOnly {
  @BeforeAll
  static void needRoot() {
    boolean root = "root".equals(System.getProperty("user.name"));
    Requirement.require("root", root, "tasks need a server run as root");
  }
}
