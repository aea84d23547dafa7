package dev.trainyard.engine.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Maximum numbers of processes and threads of tasks, so that some remain for the host and for other
 * users. In addition, the control group of each task has its own limit.
 *
 * @param total limit for all tasks together
 * @param perUser limit for all tasks of one user together
 */
record ProcessLimits(long total, long perUser) {
  /**
   * Returns three quarters of the kernel's limit for the host as the total, and half of that per
   * user.
   */
  static ProcessLimits ofThisHost() throws IOException {
    Path kernel = Path.of("/proc/sys/kernel");
    return of(
        Math.min(readNumber(kernel.resolve("pid_max")), readNumber(kernel.resolve("threads-max"))));
  }

  static ProcessLimits of(long hostLimit) {
    long total = hostLimit / 4 * 3;
    return new ProcessLimits(total, total / 2);
  }

  private static long readNumber(Path file) throws IOException {
    // readString is not used, because its first read requests only one byte, and the kernel returns
    // nothing for a second read of this file.
    return Long.parseLong(Files.readAllLines(file).getFirst().strip());
  }
}
