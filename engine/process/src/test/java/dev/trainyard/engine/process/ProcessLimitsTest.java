package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ProcessLimitsTest {
  @Test
  void of_leavesSomeForTheHostAndOtherUsers() {
    assertThat(ProcessLimits.of(32768)).isEqualTo(new ProcessLimits(24576, 12288));
  }

  /** The kernel's smallest default of pid_max is 32768. */
  @Test
  void ofThisHost_positive() throws IOException {
    assertThat(ProcessLimits.ofThisHost().perUser()).isGreaterThan(1000);
  }
}
