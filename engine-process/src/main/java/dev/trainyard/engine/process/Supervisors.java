package dev.trainyard.engine.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Supervisors and what they watch over, as the kernel knows them. */
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

  /**
   * The first process of the task's pid namespace, once it listens to SIGTERM or if it must die.
   */
  Optional<ProcessHandle> firstProcess(TaskDirectory.Supervisor supervisor) {
    if (!isAlive(supervisor)) {
      return Optional.empty();
    }
    return ProcessHandle.of(supervisor.pid()).stream()
        .flatMap(ProcessHandle::descendants)
        .filter(process -> status(process, "NSpid").endsWith("\t1"))
        .findFirst();
  }

  /** A first process without a handler would never see the signal: the kernel drops it. */
  static boolean listensToTerm(ProcessHandle process) {
    String caught = status(process, "SigCgt").strip();
    int term = 15;
    return !caught.isEmpty() && (Long.parseUnsignedLong(caught, 16) & (1L << (term - 1))) != 0;
  }

  private static String status(ProcessHandle process, String name) {
    Path file = Path.of("/proc", Long.toString(process.pid()), "status");
    try {
      return Files.readAllLines(file).stream()
          .filter(line -> line.startsWith(name + ":"))
          .map(line -> line.substring(name.length() + 1))
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}
