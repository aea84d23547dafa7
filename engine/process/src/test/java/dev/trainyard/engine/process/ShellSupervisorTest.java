package dev.trainyard.engine.process;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The same where there is no perl. */
class ShellSupervisorTest extends ProcessEngineTest {
  @BeforeAll
  static void doWithoutPerl() {
    System.setProperty(HostTools.SUPERVISOR, "shell");
  }

  @AfterAll
  static void takeItBack() {
    System.clearProperty(HostTools.SUPERVISOR);
  }
}
