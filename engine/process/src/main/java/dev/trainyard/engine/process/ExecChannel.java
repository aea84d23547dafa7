package dev.trainyard.engine.process;

import dev.trainyard.engine.ExecRequest;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.engine.linux.ShellVariables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Passes additional commands into a running task. The supervisor of the task, or a process of the
 * task that was started before any user code, reads the names of the commands from a FIFO; see
 * {@code exec-channel.sh}. The directory of each command, its script and its FIFOs belong to the
 * task.
 */
final class ExecChannel {
  /** Part of {@code launch.sh} that reads the requests inside the task. */
  static final String SCRIPT = Scripts.read("exec-channel.sh");

  private static final List<String> FIFOS = List.of("in", "out", "err", "code");
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int WRITE_ONLY = 1;
  private static final int NON_BLOCKING = 0x800;

  private ExecChannel() {}

  /**
   * Creates the channel for a task that is being reserved.
   *
   * @param taskReceivesCommands whether a process of the task reads the requests; if not, only the
   *     server can write requests
   */
  static void create(TaskDirectory task, boolean taskReceivesCommands) throws IOException {
    Path directory = Files.createDirectory(directory(task));
    Linux.changeMode(directory.toString(), 0755);
    Path request = directory.resolve("request");
    Linux.createNode(Linux.AT_FDCWD, request.toString(), Linux.FIFO, 0600, 0);
    if (taskReceivesCommands) {
      changeOwnerToTask(task, request);
    }
  }

  /** Deletes the channel of a task whose sandbox does not support additional commands. */
  static void delete(TaskDirectory task) throws IOException {
    Files.deleteIfExists(directory(task).resolve("request"));
  }

  private static Path directory(TaskDirectory task) {
    return task.platform().resolve("exec");
  }

  private static void createFifo(TaskDirectory task, Path fifo) throws IOException {
    Linux.createNode(Linux.AT_FDCWD, fifo.toString(), Linux.FIFO, 0600, 0);
    changeOwnerToTask(task, fifo);
  }

  private static void changeOwnerToTask(TaskDirectory task, Path path) throws IOException {
    int user = (Integer) Files.getAttribute(fileOwnedByTask(task), "unix:uid");
    int group = (Integer) Files.getAttribute(fileOwnedByTask(task), "unix:gid");
    Linux.changeOwner(Linux.AT_FDCWD, path.toString(), user, group);
  }

  /** Returns a file whose owner is the task's root user. */
  static Path fileOwnedByTask(TaskDirectory task) {
    return task.file("out");
  }

  /** Returns the directories of all commands, including commands of an earlier server process. */
  static List<Path> commandDirectories(TaskDirectory task) throws IOException {
    if (!Files.isDirectory(directory(task), LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    try (var entries = Files.list(directory(task))) {
      return entries.filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)).toList();
    }
  }

  /** Returns whether the task has a channel; a task started by an older server version has none. */
  static boolean exists(TaskDirectory task) {
    return Files.exists(directory(task).resolve("request"), LinkOption.NOFOLLOW_LINKS);
  }

  /** Creates the directory, the FIFOs and the script of a command; does not run it yet. */
  static Path createCommand(TaskDirectory task, ExecRequest request) throws IOException {
    byte[] randomBytes = new byte[8];
    RANDOM.nextBytes(randomBytes);
    String name = HexFormat.of().formatHex(randomBytes);
    Path command = Files.createDirectory(directory(task).resolve(name));
    for (String fifo : FIFOS) {
      createFifo(task, command.resolve(fifo));
    }
    Path script = command.resolve("run.sh");
    Files.writeString(script, script(request));
    Linux.changeMode(script.toString(), 0400);
    changeOwnerToTask(task, script);
    Linux.changeMode(command.toString(), 0700);
    changeOwnerToTask(task, command);
    return command;
  }

  /**
   * Returns the script of a command. The command becomes a session leader and gets the environment
   * of the task and no other variables.
   */
  static String script(ExecRequest request) {
    String command =
        request.command().stream().map(ShellVariables::quote).collect(Collectors.joining(" "));
    String reportStart = "read -r pid _ </proc/self/stat\necho \"started $pid\" >&3\n";
    return request.terminal().isPresent()
        ? "terminal=1\n"
            + reportStart
            + "read -r tty <\"$here/in\"\nexec <>\"$tty\" >&0 2>&0\necho opened >&3\nexec 3>&-\n"
            + "begin setsid --ctty "
            + command
            + "\n"
        : "exec <\"$here/in\" >\"$here/out\" 2>\"$here/err\"\n"
            + reportStart
            + "exec 3>&-\nbegin setsid "
            + command
            + "\n";
  }

  /** Sends a request to run a command; returns false if no process reads the FIFO. */
  static boolean sendRequest(TaskDirectory task, Path command) throws IOException {
    int fifoDescriptor;
    try {
      Path request = directory(task).resolve("request");
      fifoDescriptor = Linux.open(request.toString(), WRITE_ONLY | NON_BLOCKING);
    } catch (LinuxException e) {
      if (e.errno() == LinuxException.ENXIO) {
        return false;
      }
      throw e;
    }
    try (Descriptor descriptor = new Descriptor(fifoDescriptor)) {
      byte[] line = (command.getFileName() + "\n").getBytes(StandardCharsets.US_ASCII);
      return descriptor.write(line, 0, line.length) == line.length;
    }
  }
}
