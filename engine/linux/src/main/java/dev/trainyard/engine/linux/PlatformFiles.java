package dev.trainyard.engine.linux;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.Volume;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Checks tasks and creates the files that a task finds below {@code /usr/local/pai}. */
public final class PlatformFiles {
  private static final String HOST_NAME = "[A-Za-z0-9]([A-Za-z0-9.-]{0,62})?";

  /**
   * Directories that OpenPAI's programs expect in the platform's directory, whether empty or not.
   */
  private static final List<String> DIRECTORIES = List.of("init.d", "logs", "plugins", "secrets");

  private PlatformFiles() {}

  /**
   * Rejects a task that would fail to start.
   *
   * @throws EngineException with the reason
   */
  public static void check(TaskSpec spec) {
    ShellVariables.check(spec.environment());
    VolumeTarget.checkAll(spec.volumes().stream().map(Volume::target).toList());
    if (!spec.hostName().matches(HOST_NAME)) {
      throw new EngineException("'" + spec.hostName() + "' is not a valid host name");
    }
    checkFiles(spec.files());
  }

  public static void checkFiles(Map<String, String> files) {
    for (String file : files.keySet()) {
      Path path = Path.of(file);
      if (file.isEmpty() || path.isAbsolute() || !path.normalize().equals(path)) {
        throw new EngineException("'" + file + "' is not a valid file name for a task");
      }
    }
  }

  /** Creates the directory for the task's logs, which only the server's account can access. */
  public static void createLogDirectory(Path directory) throws IOException {
    createDirectories(directory);
    Linux.changeMode(directory.toString(), 0700);
  }

  /**
   * Creates a directory and its missing parents. Checks for existence first, because an exception
   * is more expensive than a check and this method runs for every task.
   */
  private static void createDirectories(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      createDirectories(directory.getParent());
      try {
        Files.createDirectory(directory);
      } catch (FileAlreadyExistsException e) {
        return; // because another task of the job created it first
      }
    }
  }

  /** Creates all files except those whose contents are known only at the start. */
  public static void create(TaskSpec spec, Path platform) throws IOException {
    Map<String, String> files = new LinkedHashMap<>(spec.files());
    files.put("runtime.d/user.sh", spec.script());
    createReadableDirectory(platform);
    for (String directory : DIRECTORIES) {
      createReadableDirectory(platform.resolve(directory));
    }
    for (var file : files.entrySet()) {
      if (file.getKey().endsWith("/")) {
        // The link is valid only inside the task; the server never follows it.
        Files.createSymbolicLink(platform.resolve(file.getKey()), Path.of(file.getValue()));
      } else {
        write(platform, file.getKey(), file.getValue());
      }
    }
  }

  /** Creates or replaces a file that the task can read. */
  public static void write(Path directory, String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Path parent = file.getParent();
    if (!Files.exists(parent)) {
      createParents(directory, parent);
    }
    Files.writeString(file, text);
    Linux.changeMode(file.toString(), 0755);
  }

  private static void createParents(Path directory, Path parent) throws IOException {
    if (!parent.equals(directory) && !Files.exists(parent)) {
      createParents(directory, parent.getParent());
      createReadableDirectory(parent);
    }
  }

  /** Creates a mount point, which already exists if a start is repeated. */
  public static void createMountPoint(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      createReadableDirectory(directory);
    }
  }

  public static void createReadableDirectory(Path directory) throws IOException {
    Linux.createDirectory(Linux.AT_FDCWD, directory.toString(), 0755);
    Linux.changeMode(directory.toString(), 0755);
  }
}
