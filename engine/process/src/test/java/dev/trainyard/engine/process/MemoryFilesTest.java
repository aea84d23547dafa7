package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
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
      Anonymous:             0 kB
      VmFlags: rd wr sh mr mw me ms
      7f0001000000-7f0001800000 rw-s 00000000 00:01 42                         /memfd:c (deleted)
      Pss:                8192 kB
      Anonymous:             0 kB
      7f0002000000-7f0002800000 rw-p 00000000 00:00 0
      Pss:                 100 kB
      Anonymous:           100 kB
      7f0003000000-7f0003800000 rw-s 00000000 00:1b 41                         /dev/shm/x
      Pss:                 200 kB
      Anonymous:             0 kB
      """;

  /** A file that is mapped but not open is counted by its mapping only. */
  @Test
  void mappedBytes_countsOnlyOpenFiles() {
    assertThat(mappedBytes(SMAPS)).containsExactly(Map.entry(41L, 4L << 20));
  }

  @Test
  void mappedBytes_pagesWrittenInAPrivateMapping_areNotCounted() {
    String written = SMAPS.replaceFirst("Anonymous: +0 kB", "Anonymous: 3072 kB");
    assertThat(mappedBytes(written)).containsExactly(Map.entry(41L, 1L << 20));
  }

  @Test
  void findOpen_thisProcessHasNone() {
    MemoryFiles files = MemoryFiles.findOpen(thisProcess(), Integer.MAX_VALUE);
    assertThat(files.bytes()).isZero();
    assertThat(files.complete()).isTrue();
  }

  @Test
  void findOpen_readsNoMoreDescriptorsThanAllowed() {
    assertThat(MemoryFiles.findOpen(thisProcess(), 1).complete()).isFalse();
  }

  @Test
  void maxTotalBytes_sharedMemoryAndHugePages() {
    List<String> meminfo =
        List.of("MemTotal: 9 kB", "Shmem:  3 kB", "ShmemHugePages: 7 kB", "Hugetlb:   2 kB");
    assertThat(MemoryFiles.maxTotalBytes(meminfo)).isEqualTo(5 << 10);
  }

  private static List<Integer> thisProcess() {
    return List.of((int) ProcessHandle.current().pid());
  }

  private static Map<Long, Long> mappedBytes(String smaps) {
    Map<Long, Long> mappedBytes = new HashMap<>();
    new MemoryFiles(Map.of(41L, 8L << 20), true).addMappedBytes(smaps.lines(), mappedBytes);
    return mappedBytes;
  }
}
