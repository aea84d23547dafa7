package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.SystemCall;
import dev.trainyard.engine.linux.seccomp.SeccompProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** The system call filter of tasks on this host; see SECURITY.md. */
final class TaskFilter {
  /** File that does not exist if the kernel was built without system call filters. */
  private static final Path ACTIONS_FILE = Path.of("/proc/sys/kernel/seccomp/actions_avail");

  private static final byte[] EMPTY_PROGRAM = {};

  private TaskFilter() {}

  static boolean isSupported() {
    return Files.exists(ACTIONS_FILE);
  }

  /**
   * Returns the BPF program, or an empty one if this kernel does not support filters.
   *
   * @param capabilities names of the tasks' capabilities, without the prefix {@code CAP_}
   */
  static byte[] of(Set<String> capabilities) {
    return isSupported() ? SeccompProgram.of(capabilities, SystemCall.ARM) : EMPTY_PROGRAM;
  }
}
