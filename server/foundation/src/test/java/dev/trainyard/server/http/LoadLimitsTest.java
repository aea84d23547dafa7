package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LoadLimitsTest {
  private static final long GIGABYTE = 1L << 30;

  @Test
  void of_fewFileDescriptors() {
    assertThat(LoadLimits.of(GIGABYTE, 400).connections()).isEqualTo(200);
    assertThat(LoadLimits.of(GIGABYTE, 10).connections()).isEqualTo(16);
  }

  @Test
  void of_manyFileDescriptors() {
    LoadLimits limits = LoadLimits.of(GIGABYTE, 1 << 20);
    assertThat(limits.connections()).isEqualTo(4_096);
    assertThat(limits.bodies().megabytes()).isEqualTo(64);
  }

  @Test
  void openFiles_kernelFormat() {
    List<String> lines =
        List.of(
            "Limit                     Soft Limit           Hard Limit           Units     ",
            "Max open files            1024                 524288               files     ");
    assertThat(LoadLimits.openFiles(lines)).isEqualTo(1_024);
    String unlimited = "Max open files            unlimited            unlimited            files";
    assertThat(LoadLimits.openFiles(List.of(unlimited))).isEqualTo(Long.MAX_VALUE);
    assertThat(LoadLimits.ofThisProcess().connections()).isGreaterThanOrEqualTo(16);
  }
}
