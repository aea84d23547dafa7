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
 * Performs operations that require root for a server that is not root. It is a separate process
 * that is started through the Docker engine and runs as root on the host's file system. It reads
 * one request per line and responds to each with one line. It exits when its input ends, which
 * happens whenever the server ends, for any reason.
 *
 * <p>An account that can start this program could do all of this without it. The program
 * nevertheless accesses only one data directory, so that neither an error in the server nor files
 * created by a task can extend its effect.
 */
public final class RootHelperMain {
  /** Directory of the volume mounts, relative to the data directory. */
  static final String MOUNT_DIRECTORY = "docker/mounts";

  private static final int ARGUMENT_COUNT = 5;

  private final Path dataDirectory;
  private final Path mountDirectory;
  private final PrivilegedOperations operations;

  private RootHelperMain(Path dataDirectory, PrivilegedOperations operations) {
    this.dataDirectory = dataDirectory;
    this.mountDirectory = dataDirectory.resolve(MOUNT_DIRECTORY);
    this.operations = operations;
  }

  /**
   * @param arguments the data directory, the server's ID, user, group and search path
   */
  public static void main(String[] arguments) throws IOException {
    PrintStream responses =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.US_ASCII);
    if (arguments.length != ARGUMENT_COUNT) {
      throw new IllegalArgumentException("must be started by a server");
    }
    Path dataDirectory = Path.of(arguments[0]).toRealPath();
    ServerAccount server =
        new ServerAccount(Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
    checkDirectory(dataDirectory, arguments[1], server);
    try (PrivilegedOperations operations =
            new LocalPrivilegedOperations(new HostPrograms(arguments[4]), server);
        BufferedReader requests =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
      RootHelperMain helper = new RootHelperMain(dataDirectory, operations);
      responses.println(RootHelperMessage.READY);
      for (String line = requests.readLine(); line != null; line = requests.readLine()) {
        responses.println(helper.respond(line));
      }
    }
  }

  /**
   * Verifies the data directory, because another host or another root directory must not be
   * mistaken for the server's own.
   */
  private static void checkDirectory(Path dataDirectory, String serverId, ServerAccount server)
      throws IOException {
    int owner = (Integer) Files.getAttribute(dataDirectory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    String storedId = Files.readString(dataDirectory.resolve("docker/id")).strip();
    if (owner != server.user() || !storedId.equals(serverId)) {
      throw new IOException(dataDirectory + " is not the server's data directory on this host");
    }
  }

  private String respond(String line) {
    try {
      perform(RootHelperMessage.decode(line));
      return RootHelperMessage.success();
    } catch (IOException | RuntimeException e) {
      return RootHelperMessage.failure(e);
    }
  }

  private void perform(List<String> request) throws IOException {
    switch (request.getFirst() + " " + (request.size() - 1)) {
      case "private 0" -> operations.makePrivate(mountDirectory);
      case "mount 7" -> operations.mount(parseMount(request.subList(1, request.size())));
      case "unmount 0" -> operations.unmount(mountDirectory);
      case "unmount 1" -> operations.unmount(taskMounts(request.get(1)));
      case "block 2" ->
          operations.blockMetadataServices(
              AddressRange.parse(request.get(1)), Boolean.parseBoolean(request.get(2)));
      case "open 1" -> operations.makeTreeReadable(directory(request.get(1)));
      case "delete 1" -> operations.deleteTree(directory(request.get(1)));
      case "take 1" -> operations.reclaimFile(taskFile(request.get(1)));
      default -> throw new EngineException("the root helper does not support this request");
    }
  }

  private VolumeMount parseMount(List<String> request) throws IOException {
    Path mountPoint =
        taskMounts(request.get(1)).resolve(Integer.toString(parseNumber(request.get(2))));
    ImageUser user = new ImageUser(parseId(request.get(5)), parseId(request.get(6)));
    return new VolumeMount(
        directory(request.get(0)),
        mountPoint,
        Volume.Access.valueOf(request.get(3)),
        parseNumber(request.get(4)),
        user);
  }

  private static int parseNumber(String text) {
    if (!text.matches("[0-9]{1,5}")) {
      throw new EngineException("the root helper received an invalid number");
    }
    return Integer.parseInt(text);
  }

  private static int parseId(String text) {
    if (!text.matches("[0-9]{1,9}")) {
      throw new EngineException("the root helper received an invalid ID");
    }
    return Integer.parseInt(text);
  }

  private Path taskMounts(String name) {
    Path taskMounts = mountDirectory.resolve(TaskId.parse(name).toString()).normalize();
    if (!mountDirectory.equals(taskMounts.getParent())) {
      throw new EngineException("the root helper received an invalid task ID");
    }
    return taskMounts;
  }

  /**
   * Returns a log file, or a file of a task's directory; the path of its directory must contain no
   * link.
   */
  private Path taskFile(String relativePath) throws IOException {
    Path path = dataDirectory.resolve(relativePath);
    Path directory = path.getParent();
    boolean mountedInTask =
        path.startsWith(dataDirectory.resolve("logs"))
            || dataDirectory.resolve("docker/tasks").equals(directory.getParent());
    if (!mountedInTask
        || !directory.toRealPath().equals(directory)
        || !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new EngineException(relativePath + " is not a file of a task");
    }
    return path;
  }

  /**
   * Returns a directory of users, which must be below the data directory and whose path must
   * contain no link.
   */
  private Path directory(String relativePath) throws IOException {
    Path path = dataDirectory.resolve(relativePath);
    boolean insideData =
        path.startsWith(dataDirectory) && path.getNameCount() > dataDirectory.getNameCount();
    if (!insideData
        || path.startsWith(dataDirectory.resolve("docker"))
        || !path.toRealPath().equals(path)) {
      throw new EngineException(relativePath + " is not a directory of users");
    }
    return path;
  }
}
