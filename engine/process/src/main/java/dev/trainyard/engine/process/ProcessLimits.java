package dev.trainyard.engine.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How many processes and threads tasks may have, so that the machine keeps some for itself and no
 * user takes those of the others. A single task has its own limit in its control group.
 *
 * @param all of all tasks together
 * @param perUser of all tasks of one user together
 */
record ProcessLimits(long all, long perUser) {
  /** Three quarters of what the kernel has for the whole machine, and half of that for a user. */
  static ProcessLimits ofThisMachine() throws IOException {
    Path kernel = Path.of("/proc/sys/kernel");
    return of(Math.min(number(kernel.resolve("pid_max")), number(kernel.resolve("threads-max"))));
  }

  static ProcessLimits of(long machine) {
    long all = machine / 4 * 3;
    return new ProcessLimits(all, all / 2);
  }

  private static long number(Path file) throws IOException {
    // Not by readString: its first read is of one byte, and the kernel answers no second one.
    return Long.parseLong(Files.readAllLines(file).getFirst().strip());
  }
}
