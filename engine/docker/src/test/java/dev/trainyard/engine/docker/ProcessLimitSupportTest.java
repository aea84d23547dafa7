package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessLimitSupportTest {
  private static final String TABLE =
      """
      Limit                     Soft Limit           Hard Limit           Units
      Max stack size            8388608              unlimited            bytes
      Max open files            1024                 524288               files
      """;

  @Test
  void read_hardLimit() {
    assertThat(ProcessLimitSupport.parseHardLimit(TABLE, "Max open files")).hasValue(524_288);
    assertThat(ProcessLimitSupport.parseHardLimit(TABLE, "Max stack size")).isEmpty();
    assertThat(ProcessLimitSupport.parseHardLimit(TABLE, "Max processes")).isEmpty();
  }
}
