package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.Volume;
import dev.trainyard.model.TaskId;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/**
 * Performs operations that require root for a server that is not root: a separate process, started
 * through the Docker engine, as root on the host's file system. It reads one request per line and
 * responds with one line to each; it exits when its input ends, which happens whenever the server
 * ends, for any reason.
 *
 * <p>An account that can start it could do all of this without it. It nevertheless accesses only
 * one data directory, so that neither an error in the server nor files created by a task can extend
 * its effect.
 */
public final class RootHelperMain {
  /** Relative to the data directory. */
  static final String MOUNTS = "docker/mounts";

  private static final int ARGUMENTS = 5;

  private final Path data;
  private final Path mounts;
  private final PrivilegedOperations work;

  private RootHelperMain(Path data, PrivilegedOperations work) {
    this.data = data;
    this.mounts = data.resolve(MOUNTS);
    this.work = work;
  }

  /**
   * @param arguments the data directory, the server's ID, user, group and search path
   */
  public static void main(String[] arguments) throws IOException {
    PrintStream answers =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.US_ASCII);
    if (arguments.length != ARGUMENTS) {
      throw new IllegalArgumentException("must be started by a server");
    }
    Path data = Path.of(arguments[0]).toRealPath();
    ServerAccount server =
        new ServerAccount(Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
    check(data, arguments[1], server);
    try (PrivilegedOperations work =
            new LocalPrivilegedOperations(new HostPrograms(arguments[4]), server);
        BufferedReader requests =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
      RootHelperMain helper = new RootHelperMain(data, work);
      answers.println(RootHelperMessage.READY);
      for (String line = requests.readLine(); line != null; line = requests.readLine()) {
        answers.println(helper.answer(line));
      }
    }
  }

  /**
   * Verifies the data directory, because another host or another root directory must not be
   * mistaken for the server's.
   */
  private static void check(Path data, String number, ServerAccount server) throws IOException {
    int owner = (Integer) Files.getAttribute(data, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    String found = Files.readString(data.resolve("docker/id")).strip();
    if (owner != server.user() || !found.equals(number)) {
      throw new IOException(data + " is not the server's data directory on this host");
    }
  }

  private String answer(String line) {
    try {
      perform(RootHelperMessage.words(line));
      return RootHelperMessage.done();
    } catch (IOException | RuntimeException e) {
      return RootHelperMessage.failure(e);
    }
  }

  private void perform(List<String> words) throws IOException {
    switch (words.getFirst() + " " + (words.size() - 1)) {
      case "private 0" -> work.makePrivate(mounts);
      case "mount 7" -> work.mount(mount(words.subList(1, words.size())));
      case "unmount 0" -> work.unmount(mounts);
      case "unmount 1" -> work.unmount(task(words.get(1)));
      case "block 2" ->
          work.blockLinkLocal(AddressRange.parse(words.get(1)), Boolean.parseBoolean(words.get(2)));
      case "open 1" -> work.openTree(directory(words.get(1)));
      case "give 1" -> work.giveTree(directory(words.get(1)));
      case "take 1" -> work.takeFile(taskFile(words.get(1)));
      default -> throw new EngineException("the root helper does not support this request");
    }
  }

  private VolumeMount mount(List<String> words) throws IOException {
    Path on = task(words.get(1)).resolve(Integer.toString(number(words.get(2))));
    ImageUser user = new ImageUser(id(words.get(5)), id(words.get(6)));
    return new VolumeMount(
        directory(words.get(0)),
        on,
        Volume.Access.valueOf(words.get(3)),
        number(words.get(4)),
        user);
  }

  private static int number(String word) {
    if (!word.matches("[0-9]{1,5}")) {
      throw new EngineException("the root helper received an invalid number");
    }
    return Integer.parseInt(word);
  }

  private static int id(String word) {
    if (!word.matches("[0-9]{1,9}")) {
      throw new EngineException("the root helper received an invalid ID");
    }
    return Integer.parseInt(word);
  }

  private Path task(String name) {
    Path own = mounts.resolve(TaskId.parse(name).toString()).normalize();
    if (!mounts.equals(own.getParent())) {
      throw new EngineException("the root helper received an invalid task ID");
    }
    return own;
  }

  /** Returns a log, or a file of a task's directory, in a directory whose path contains no link. */
  private Path taskFile(String below) throws IOException {
    Path path = data.resolve(below);
    Path directory = path.getParent();
    boolean bound =
        path.startsWith(data.resolve("logs"))
            || data.resolve("docker/tasks").equals(directory.getParent());
    if (!bound
        || !directory.toRealPath().equals(directory)
        || !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new EngineException(below + " is not a file of a task");
    }
    return path;
  }

  /** Returns a directory of users: one below the data directory whose path contains no link. */
  private Path directory(String below) throws IOException {
    Path path = data.resolve(below);
    boolean inside = path.startsWith(data) && path.getNameCount() > data.getNameCount();
    if (!inside || path.startsWith(data.resolve("docker")) || !path.toRealPath().equals(path)) {
      throw new EngineException(below + " is not a directory of users");
    }
    return path;
  }
}
