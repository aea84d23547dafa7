package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.Linux;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Finds processes of a task on the host. */
final class TaskProcess {
  private TaskProcess() {}

  /**
   * Opens the root directory of a process.
   *
   * @param number the process ID in the task's namespace, as reported by a process of the task. It
   *     is accepted only for a process with the task's own privileges: not for the supervisor and
   *     its helpers, which are in the same PID namespace but see the host's root directory
   */
  static int root(TaskDirectory.Supervisor supervisor, int number) throws IOException {
    Path first = Path.of("/proc", Integer.toString(supervisor.pid()));
    Path processes = Files.readSymbolicLink(first.resolve("ns/pid"));
    Path users = Files.readSymbolicLink(first.resolve("ns/user"));
    try (var all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : all) {
        if (isNumbered(process, number) && isOf(process, processes, users)) {
          int flags = Linux.O_PATH | Linux.O_DIRECTORY;
          int root = Linux.open(process.resolve("root").toString(), flags);
          // The number may have been reused by another process.
          if (isOf(process, processes, users)) {
            return root;
          }
          Linux.close(root);
        }
      }
    }
    throw new IOException("the command has ended");
  }

  private static boolean isNumbered(Path process, int number) {
    try {
      List<String> lines = Files.readAllLines(process.resolve("status"));
      return lines.stream()
          .anyMatch(line -> line.startsWith("NSpid:") && line.endsWith("\t" + number));
    } catch (IOException e) {
      return false; // ended
    }
  }

  private static boolean isOf(Path process, Path processes, Path users) {
    try {
      return Files.readSymbolicLink(process.resolve("ns/pid")).equals(processes)
          && !Files.readSymbolicLink(process.resolve("ns/user")).equals(users);
    } catch (IOException e) {
      return false; // ended, or not readable
    }
  }
}
