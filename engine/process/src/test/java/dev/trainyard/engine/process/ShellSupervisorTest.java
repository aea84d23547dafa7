package dev.trainyard.engine.process;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Runs the tests with the shell supervisor, as on hosts without perl. */
class ShellSupervisorTest extends ProcessEngineTest {
  @BeforeAll
  static void disablePerl() {
    System.setProperty(HostTools.SUPERVISOR_PROPERTY, "shell");
  }

  @AfterAll
  static void enablePerl() {
    System.clearProperty(HostTools.SUPERVISOR_PROPERTY);
  }
}
