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
 * {@code exec-channel.sh}. All files belong to the server; the task can read them and write to the
 * FIFOs.
 */
final class ExecChannel {
  /** Reads the requests inside the task; a part of its {@code launch.sh}. */
  static final String SCRIPT = Scripts.read("exec-channel.sh");

  private static final List<String> FIFOS = List.of("in", "out", "err", "code");
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int WRITE_ONLY = 1;
  private static final int NON_BLOCKING = 0x800;

  private ExecChannel() {}

  /**
   * Creates the channel for a task that is being reserved.
   *
   * @param inside whether a process of the task reads the requests; otherwise only the server can
   *     write requests
   */
  static void make(TaskDirectory task, boolean inside) throws IOException {
    Path place = Files.createDirectory(place(task));
    Linux.changeMode(place.toString(), 0755);
    Path request = place.resolve("request");
    Linux.makeNode(Linux.AT_FDCWD, request.toString(), Linux.FIFO, 0600, 0);
    if (inside) {
      giveToTask(task, request);
    }
  }

  /** Deletes the channel of a task that cannot have one. */
  static void close(TaskDirectory task) throws IOException {
    Files.deleteIfExists(place(task).resolve("request"));
  }

  private static Path place(TaskDirectory task) {
    return task.platform().resolve("exec");
  }

  private static void makeFifo(TaskDirectory task, Path fifo) throws IOException {
    Linux.makeNode(Linux.AT_FDCWD, fifo.toString(), Linux.FIFO, 0600, 0);
    giveToTask(task, fifo);
  }

  private static void giveToTask(TaskDirectory task, Path path) throws IOException {
    int user = (Integer) Files.getAttribute(owner(task), "unix:uid");
    int group = (Integer) Files.getAttribute(owner(task), "unix:gid");
    Linux.changeOwner(Linux.AT_FDCWD, path.toString(), user, group);
  }

  /** Returns a file whose owner is the task's root user. */
  static Path owner(TaskDirectory task) {
    return task.file("out");
  }

  /** Returns the directories of all commands, including commands that an earlier server left. */
  static List<Path> commands(TaskDirectory task) throws IOException {
    if (!Files.isDirectory(place(task), LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    try (var all = Files.list(place(task))) {
      return all.filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)).toList();
    }
  }

  /** Returns whether the task has a channel; a task started by an older server version has none. */
  static boolean exists(TaskDirectory task) {
    return Files.exists(place(task).resolve("request"), LinkOption.NOFOLLOW_LINKS);
  }

  /** Creates everything that a command needs; does not run it yet. */
  static Path prepare(TaskDirectory task, ExecRequest request) throws IOException {
    byte[] name = new byte[8];
    RANDOM.nextBytes(name);
    Path command = Files.createDirectory(place(task).resolve(HexFormat.of().formatHex(name)));
    for (String fifo : FIFOS) {
      makeFifo(task, command.resolve(fifo));
    }
    Path script = command.resolve("run.sh");
    Files.writeString(script, script(request));
    Linux.changeMode(script.toString(), 0400);
    giveToTask(task, script);
    Linux.changeMode(command.toString(), 0700);
    giveToTask(task, command);
    return command;
  }

  /**
   * Returns the script of a command. The command becomes a session leader and gets exactly the
   * task's environment.
   */
  static String script(ExecRequest request) {
    String command =
        request.command().stream().map(ShellVariables::quoted).collect(Collectors.joining(" "));
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
  static boolean request(TaskDirectory task, Path command) throws IOException {
    int channel;
    try {
      Path request = place(task).resolve("request");
      channel = Linux.open(request.toString(), WRITE_ONLY | NON_BLOCKING);
    } catch (LinuxException e) {
      if (e.errno() == LinuxException.ENXIO) {
        return false;
      }
      throw e;
    }
    try (Descriptor open = new Descriptor(channel)) {
      byte[] line = (command.getFileName() + "\n").getBytes(StandardCharsets.US_ASCII);
      return open.write(line, 0, line.length) == line.length;
    }
  }
}
