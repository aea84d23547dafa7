package dev.trainyard.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds and kills processes of tasks on the host. */
final class Supervision {
  private Supervision() {}

  /** Returns the process IDs of the running supervisors of a data directory. */
  static List<Long> supervisors(Path data) throws IOException {
    List<Long> found = new ArrayList<>();
    try (Stream<Path> tasks = Files.list(data.resolve("tasks"))) {
      tasks.forEach(task -> pid(task).ifPresent(found::add));
    }
    return found;
  }

  private static Optional<Long> pid(Path task) {
    try {
      List<String> lines = Files.readAllLines(task.resolve("state"));
      if (lines.stream().anyMatch(line -> line.startsWith("end "))) {
        return Optional.empty();
      }
      return lines.stream()
          .filter(line -> line.startsWith("supervisor ") && line.endsWith(" ."))
          .map(line -> line.split(" ", -1))
          .filter(words -> isSameProcess(words[1], words[2]))
          .map(words -> Long.valueOf(words[1]))
          .findFirst();
    } catch (IOException e) {
      return Optional.empty(); // The task has not started or has already finished.
    }
  }

  /** Compares the start time, because the process ID may have been reused by another process. */
  private static boolean isSameProcess(String pid, String startTime) {
    try {
      String stat = Files.readString(Path.of("/proc", pid, "stat"));
      return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19].equals(startTime);
    } catch (IOException e) {
      return false; // exited
    }
  }

  /**
   * Returns the first process in the PID namespace of a supervisor's task. When this process exits,
   * the kernel kills all other processes of the task.
   */
  static List<ProcessHandle> firstProcesses(long supervisor) {
    return ProcessHandle.of(supervisor).stream()
        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
        .filter(process -> isFirst(process.pid()))
        .toList();
  }

  private static boolean isFirst(long pid) {
    try {
      return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
          .anyMatch(
              line ->
                  line.startsWith("NSpid:")
                      && line.indexOf("\t") < line.lastIndexOf("\t")
                      && line.endsWith("\t1"));
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Returns the processes whose working directory is below a directory or whose command line
   * contains a path below it.
   */
  static List<Long> processesBelow(Path directory) throws IOException {
    List<Long> found = new ArrayList<>();
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      for (ProcessHandle process : all.toList()) {
        Path proc = Path.of("/proc", Long.toString(process.pid()));
        try {
          boolean named = Files.readString(proc.resolve("cmdline")).contains(directory + "/");
          boolean within = Files.readSymbolicLink(proc.resolve("cwd")).startsWith(directory);
          if (named || within) {
            found.add(process.pid());
          }
        } catch (IOException e) {
          // The process has exited or is a kernel thread.
        }
      }
    }
    return found;
  }

  /** Kills all supervisors, so that they record no end of their tasks, as after a power failure. */
  static void killSupervisors(Path data) throws IOException {
    for (long supervisor : supervisors(data)) {
      ProcessHandle.of(supervisor).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  /** Changes the boot ID in the records of running tasks, as if the host had been restarted. */
  static void pretendReboot(Path data) throws IOException {
    try (Stream<Path> tasks = Files.list(data.resolve("tasks"))) {
      for (Path task : tasks.toList()) {
        Path record = task.resolve("state");
        if (Files.exists(record)) {
          String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
          String other = "00000000-0000-4000-8000-000000000000";
          Files.writeString(record, Files.readString(record).replace(boot, other));
        }
      }
    }
  }
}
