package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.SystemCall;
import dev.trainyard.engine.linux.seccomp.SeccompProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** The system call filter of tasks on this host; see SECURITY.md. */
final class TaskFilter {
  /** Missing if the kernel was built without filters. */
  private static final Path ACTIONS = Path.of("/proc/sys/kernel/seccomp/actions_avail");

  private static final byte[] NONE = {};

  private TaskFilter() {}

  static boolean isSupported() {
    return Files.exists(ACTIONS);
  }

  /**
   * Returns the BPF program, or an empty one if this kernel does not support filters.
   *
   * @param capabilities of the tasks, without the prefix {@code CAP_}
   */
  static byte[] of(Set<String> capabilities) {
    return isSupported() ? SeccompProgram.of(capabilities, SystemCall.ARM) : NONE;
  }
}
