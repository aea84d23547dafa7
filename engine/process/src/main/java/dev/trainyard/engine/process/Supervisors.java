package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.engine.linux.PidFd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Supervisors as the kernel knows them. */
final class Supervisors {
  private static final int START_TIME = 22;

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

  /** Whether that very process still runs: its number may be another's by now. */
  boolean isAlive(TaskDirectory.Supervisor supervisor) {
    return isOfThisBoot(supervisor) && startTime(supervisor.pid()) == supervisor.startTime();
  }

  /** Empty if it is gone. First held, then recognised: so it can't be another. */
  Optional<PidFd> hold(TaskDirectory.Supervisor supervisor) throws LinuxException {
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

  /** Not for those that only wait to be buried: whoever inherited them may take his time. */
  static boolean isRunning(ProcessHandle process) {
    return process.isAlive() && startTime(process.pid()) >= 0;
  }

  private static long startTime(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      // The name, in brackets, may itself contain blanks and brackets.
      String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      boolean zombie = afterName[0].equals("Z");
      return zombie ? -1 : Long.parseLong(afterName[START_TIME - 3]);
    } catch (IOException e) {
      return -1;
    }
  }
}
