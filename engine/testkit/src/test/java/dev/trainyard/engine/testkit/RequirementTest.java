package dev.trainyard.engine.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class RequirementTest {
  @Test
  void missing_notRequired_skipsWithTheReason() {
    assertThat(Requirement.missing("root,postgres", "docker", "no engine runs", null))
        .isInstanceOf(TestAbortedException.class)
        .hasMessage("skipped, no docker: no engine runs");
  }

  @Test
  void missing_required_failsWithTheReason() {
    assertThatThrownBy(() -> Requirement.missing("root,docker", "docker", "no engine runs", null))
        .isInstanceOf(AssertionError.class)
        .hasMessage("TRAINYARD_REQUIRE names docker: no engine runs");
  }
}
