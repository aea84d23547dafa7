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
 * How commands get into a task: its supervisor, or a process of the task that was born before
 * anything of the user's ran, waits for their names; see {@code exec-channel.sh}. All files here
 * are the server's own: the task can read them, and write to the fifos.
 */
final class ExecChannel {
  /** Listens in the task; a part of its {@code launch.sh}. */
  static final String SCRIPT = Scripts.read("exec-channel.sh");

  private static final List<String> FIFOS = List.of("in", "out", "err", "code");
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int WRITE_ONLY = 1;
  private static final int NON_BLOCKING = 0x800;

  private ExecChannel() {}

  /**
   * For a task that is being reserved.
   *
   * @param inside whether it is a process of the task that listens; else nobody but the server can
   *     knock
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

  /** For a task that can't have one. */
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

  /** A file of whoever is root in the task. */
  static Path owner(TaskDirectory task) {
    return task.file("out");
  }

  /** The directories of commands, also of those that an earlier server left. */
  static List<Path> commands(TaskDirectory task) throws IOException {
    if (!Files.isDirectory(place(task), LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    try (var all = Files.list(place(task))) {
      return all.filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)).toList();
    }
  }

  /** Whether the task has a door at all: one that was started by an older server has none. */
  static boolean exists(TaskDirectory task) {
    return Files.exists(place(task).resolve("request"), LinkOption.NOFOLLOW_LINKS);
  }

  /** Makes all that a command needs; nothing runs yet. */
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
   * The command itself becomes the leader of a session, with nothing between it and the task's own
   * environment.
   */
  static String script(ExecRequest request) {
    String command =
        request.command().stream().map(ShellVariables::quoted).collect(Collectors.joining(" "));
    String tell = "read -r pid _ </proc/self/stat\necho \"started $pid\" >&3\n";
    return request.terminal().isPresent()
        ? "terminal=1\n"
            + tell
            + "read -r tty <\"$here/in\"\nexec <>\"$tty\" >&0 2>&0\necho opened >&3\nexec 3>&-\n"
            + "begin setsid --ctty "
            + command
            + "\n"
        : "exec <\"$here/in\" >\"$here/out\" 2>\"$here/err\"\n"
            + tell
            + "exec 3>&-\nbegin setsid "
            + command
            + "\n";
  }

  /** Knocks; false if nobody listens. */
  static boolean request(TaskDirectory task, Path command) throws IOException {
    int door;
    try {
      Path request = place(task).resolve("request");
      door = Linux.open(request.toString(), WRITE_ONLY | NON_BLOCKING);
    } catch (LinuxException e) {
      if (e.errno() == LinuxException.ENXIO) {
        return false;
      }
      throw e;
    }
    try (Descriptor open = new Descriptor(door)) {
      byte[] line = (command.getFileName() + "\n").getBytes(StandardCharsets.US_ASCII);
      return open.write(line, 0, line.length) == line.length;
    }
  }
}
