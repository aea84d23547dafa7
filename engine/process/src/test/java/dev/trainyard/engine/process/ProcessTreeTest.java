package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProcessTreeTest {
  /** Writes private copies of a memory file, then truncates the file. */
  private static final String COPIES =
      """
      import ctypes, mmap, os, sys
      size = 64 << 20
      file = os.memfd_create('x')
      os.truncate(file, size)
      copy = mmap.mmap(file, size, flags=mmap.MAP_PRIVATE)
      for page in range(0, size, 4096):
          copy[page] = 1
      ctypes.CDLL(None).fallocate(file, 3, ctypes.c_long(0), ctypes.c_long(size))
      print(flush=True)
      sys.stdin.read()
      """;

  @Test
  void usesMoreThan_privateCopiesOfAnEmptiedFile_areCounted() throws IOException {
    String python = "/usr/bin/python3";
    Requirement.require(
        "python", Files.isExecutable(Path.of(python)), "there is no /usr/bin/python3");
    Process process = new ProcessBuilder(python, "-c", COPIES).start();
    try {
      assertThat(process.getInputStream().read()).isEqualTo('\n');
      ProcessTree tree = ProcessTree.read();
      assertThat(tree.usesMoreThan(48 << 20, (int) process.pid(), () -> {})).isTrue();
      assertThat(tree.usesMoreThan(128 << 20, (int) process.pid(), () -> {})).isFalse();
    } finally {
      process.destroyForcibly();
    }
  }
}
