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

/** What a task finds below {@code /usr/local/pai}, and what has to hold before it is written. */
public final class PlatformFiles {
  private static final String HOST_NAME = "[A-Za-z0-9]([A-Za-z0-9.-]{0,62})?";

  /** What OpenPAI's programs expect to find in the platform's directory, whatever is in it. */
  private static final List<String> PLACES = List.of("init.d", "logs", "plugins", "secrets");

  private PlatformFiles() {}

  /**
   * Refuses what could not be started.
   *
   * @throws EngineException saying why
   */
  public static void check(TaskSpec spec) {
    ShellVariables.check(spec.environment());
    VolumeTarget.checkAll(spec.volumes().stream().map(Volume::target).toList());
    if (!spec.hostName().matches(HOST_NAME)) {
      throw new EngineException("'" + spec.hostName() + "' can't be the name of a machine");
    }
    checkFiles(spec.files());
  }

  public static void checkFiles(Map<String, String> files) {
    for (String file : files.keySet()) {
      Path path = Path.of(file);
      if (file.isEmpty() || path.isAbsolute() || !path.normalize().equals(path)) {
        throw new EngineException("'" + file + "' can't be a file of a task");
      }
    }
  }

  /** Where the task's logs will be, for the server's account only. */
  public static void makeLogDirectory(Path directory) throws IOException {
    makeAll(directory);
    Linux.changeMode(directory.toString(), 0700);
  }

  /**
   * Looks before it tries: an exception costs more than a look, and this is done for every task.
   */
  private static void makeAll(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      makeAll(directory.getParent());
      try {
        Files.createDirectory(directory);
      } catch (FileAlreadyExistsException e) {
        return; // another task of the job was faster
      }
    }
  }

  /** All but what comes at the start. */
  public static void make(TaskSpec spec, Path platform) throws IOException {
    Map<String, String> files = new LinkedHashMap<>(spec.files());
    files.put("runtime.d/user.sh", spec.script());
    makeReadable(platform);
    for (String place : PLACES) {
      makeReadable(platform.resolve(place));
    }
    for (var file : files.entrySet()) {
      if (file.getKey().endsWith("/")) {
        // Means something only inside the task: nothing of ours ever goes through it.
        Files.createSymbolicLink(platform.resolve(file.getKey()), Path.of(file.getValue()));
      } else {
        write(platform, file.getKey(), file.getValue());
      }
    }
  }

  /** A file that the task can read, made anew. */
  public static void write(Path directory, String name, String text) throws IOException {
    Path place = directory.resolve(name);
    Path parent = place.getParent();
    if (!Files.exists(parent)) {
      makeParents(directory, parent);
    }
    Files.writeString(place, text);
    Linux.changeMode(place.toString(), 0755);
  }

  private static void makeParents(Path directory, Path parent) throws IOException {
    if (!parent.equals(directory) && !Files.exists(parent)) {
      makeParents(directory, parent.getParent());
      makeReadable(parent);
    }
  }

  /** Found by a start that is repeated. */
  public static void makeMountPoint(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      makeReadable(directory);
    }
  }

  public static void makeReadable(Path directory) throws IOException {
    Linux.makeDirectory(Linux.AT_FDCWD, directory.toString(), 0755);
    Linux.changeMode(directory.toString(), 0755);
  }
}
