package dev.trainyard.engine.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Limits for processes and threads of tasks, so that some remain for the host and no user takes the
 * share of the others. In addition, the control group of each task has its own limit.
 *
 * @param all limit of all tasks together
 * @param perUser limit of all tasks of one user together
 */
record ProcessLimits(long all, long perUser) {
  /**
   * Returns three quarters of the kernel's limit for the host as the total, and half of that per
   * user.
   */
  static ProcessLimits ofThisMachine() throws IOException {
    Path kernel = Path.of("/proc/sys/kernel");
    return of(Math.min(number(kernel.resolve("pid_max")), number(kernel.resolve("threads-max"))));
  }

  static ProcessLimits of(long machine) {
    long all = machine / 4 * 3;
    return new ProcessLimits(all, all / 2);
  }

  private static long number(Path file) throws IOException {
    // Not readString: its first read has only one byte, and the kernel returns nothing for a second
    // one.
    return Long.parseLong(Files.readAllLines(file).getFirst().strip());
  }
}
