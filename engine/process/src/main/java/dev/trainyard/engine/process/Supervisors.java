package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.engine.linux.PidFd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Finds the supervisor processes of this boot in {@code /proc} and checks whether they are running.
 */
final class Supervisors {
  private static final int START_TIME_FIELD = 22;

  private final String bootId;

  Supervisors(String bootId) {
    this.bootId = bootId;
  }

  static Supervisors ofThisBoot() throws IOException {
    return new Supervisors(Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip());
  }

  boolean isOfThisBoot(TaskDirectory.Supervisor supervisor) {
    return supervisor.bootId().equals(bootId);
  }

  /**
   * Returns whether exactly this process is still running; another process may have received the
   * same process ID.
   */
  boolean isAlive(TaskDirectory.Supervisor supervisor) {
    return isOfThisBoot(supervisor) && startTime(supervisor.pid()) == supervisor.startTime();
  }

  /**
   * Opens the process; empty if it has ended. The process is checked again after it was opened, so
   * it cannot be another process with the same process ID.
   */
  Optional<PidFd> open(TaskDirectory.Supervisor supervisor) throws LinuxException {
    if (!isAlive(supervisor)) {
      return Optional.empty();
    }
    try {
      PidFd process = PidFd.of(supervisor.pid());
      return isAlive(supervisor) ? Optional.of(process) : Optional.empty();
    } catch (LinuxException e) {
      if (e.errno() == LinuxException.ESRCH) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * Returns whether a process is running. A zombie does not count, because the process that
   * inherited it may take a long time to reap it.
   */
  static boolean isRunning(ProcessHandle process) {
    return process.isAlive() && startTime(process.pid()) >= 0;
  }

  private static long startTime(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      // The process name, in parentheses, may contain spaces and parentheses.
      String[] fieldsAfterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      boolean zombie = fieldsAfterName[0].equals("Z");
      return zombie ? -1 : Long.parseLong(fieldsAfterName[START_TIME_FIELD - 3]);
    } catch (IOException e) {
      return -1;
    }
  }
}
