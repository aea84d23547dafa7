package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.Linux;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Processes of a task as the machine sees them. */
final class TaskProcess {
  private TaskProcess() {}

  /**
   * The root directory of a process, opened.
   *
   * @param number the process in the task's namespace, as somebody in the task says. It is believed
   *     only for a process with the task's own rights: not for the supervisor and its helpers,
   *     which live in the same namespace and see the machine's root directory
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
          // The number may have gone to another process meanwhile.
          if (isOf(process, processes, users)) {
            return root;
          }
          Linux.close(root);
        }
      }
    }
    throw new IOException("the command is gone");
  }

  private static boolean isNumbered(Path process, int number) {
    try {
      List<String> lines = Files.readAllLines(process.resolve("status"));
      return lines.stream()
          .anyMatch(line -> line.startsWith("NSpid:") && line.endsWith("\t" + number));
    } catch (IOException e) {
      return false; // gone
    }
  }

  private static boolean isOf(Path process, Path processes, Path users) {
    try {
      return Files.readSymbolicLink(process.resolve("ns/pid")).equals(processes)
          && !Files.readSymbolicLink(process.resolve("ns/user")).equals(users);
    } catch (IOException e) {
      return false; // gone, or not ours to look at
    }
  }
}
