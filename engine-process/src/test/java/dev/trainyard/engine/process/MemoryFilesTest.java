package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MemoryFilesTest {
  private static final String SMAPS =
      """
      7f0000000000-7f0000800000 rw-s 00000000 00:01 41                         /memfd:a b (deleted)
      Size:               8192 kB
      Pss:                4096 kB
      Pss_Dirty:          4096 kB
      VmFlags: rd wr sh mr mw me ms
      7f0001000000-7f0001800000 rw-s 00000000 00:01 42                         /memfd:c (deleted)
      Pss:                8192 kB
      7f0002000000-7f0002800000 rw-p 00000000 00:00 0
      Pss:                 100 kB
      7f0003000000-7f0003800000 rw-s 00000000 00:1b 41                         /dev/shm/x
      Pss:                 200 kB
      """;

  /** One that is mapped but open nowhere is counted by its mapping only. */
  @Test
  void mapped_onlyOfOpenFiles() {
    assertThat(new MemoryFiles(Map.of(41L, 8L << 20)).mapped(SMAPS.lines())).isEqualTo(4L << 20);
  }

  @Test
  void openIn_thisProcessHasNone() {
    MemoryFiles files = MemoryFiles.openIn(List.of((int) ProcessHandle.current().pid()));
    assertThat(files.bytes()).isZero();
  }
}
