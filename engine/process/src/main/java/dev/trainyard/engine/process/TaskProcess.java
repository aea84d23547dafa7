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
   * @param namespacePid process ID in the task's PID namespace, as reported by a process of the
   *     task. The ID is accepted only if the process has the task's privileges, unlike the
   *     supervisor and its helpers, which are in the same PID namespace but see the host's root
   *     directory
   */
  static int openRoot(TaskDirectory.Supervisor supervisor, int namespacePid) throws IOException {
    Path supervisorDirectory = Path.of("/proc", Integer.toString(supervisor.pid()));
    Path pidNamespace = Files.readSymbolicLink(supervisorDirectory.resolve("ns/pid"));
    Path userNamespace = Files.readSymbolicLink(supervisorDirectory.resolve("ns/user"));
    try (var processDirectories = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processDirectories) {
        if (hasNamespacePid(process, namespacePid)
            && isTaskProcess(process, pidNamespace, userNamespace)) {
          int flags = Linux.O_PATH | Linux.O_DIRECTORY;
          int root = Linux.open(process.resolve("root").toString(), flags);
          // Another process may have received the same process ID in the meantime.
          if (isTaskProcess(process, pidNamespace, userNamespace)) {
            return root;
          }
          Linux.close(root);
        }
      }
    }
    throw new IOException("the command has ended");
  }

  private static boolean hasNamespacePid(Path process, int namespacePid) {
    try {
      List<String> lines = Files.readAllLines(process.resolve("status"));
      return lines.stream()
          .anyMatch(line -> line.startsWith("NSpid:") && line.endsWith("\t" + namespacePid));
    } catch (IOException e) {
      return false; // the process has ended
    }
  }

  private static boolean isTaskProcess(Path process, Path pidNamespace, Path userNamespace) {
    try {
      return Files.readSymbolicLink(process.resolve("ns/pid")).equals(pidNamespace)
          && !Files.readSymbolicLink(process.resolve("ns/user")).equals(userNamespace);
    } catch (IOException e) {
      return false; // the process has ended or is not readable
    }
  }
}
