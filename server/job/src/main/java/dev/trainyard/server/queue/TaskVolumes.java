package dev.trainyard.server.queue;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.Volume;
import dev.trainyard.model.JobId;
import dev.trainyard.server.user.User;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The directories of the server's data that a task sees, and their mount points. A directory that
 * the job file names is a separate directory of the job, unless the path is below an existing one:
 * the user's home, the datasets or a system directory.
 */
final class TaskVolumes {
  private static final Set<String> PLATFORM_DIRECTORIES = Set.of("userhome", "gdata", "gshare");
  private static final Set<String> SYSTEM_DIRECTORIES =
      Set.of("bin", "etc", "lib", "lib32", "lib64", "libx32", "sbin", "usr");
  private static final Set<String> EXISTING_DIRECTORIES =
      Set.of("boot", "home", "media", "mnt", "opt", "root", "run", "srv", "var");

  private final Path data;

  TaskVolumes(Path data) {
    this.data = data;
  }

  List<Volume> of(JobId job, User owner, TaskDirectories directories) {
    List<Volume> volumes = new ArrayList<>();
    volumes.add(new Volume(home(owner.name()), TaskSpecs.HOME, Volume.Access.OWNED));
    volumes.add(new Volume(data.resolve("gdata"), "/gdata", Volume.Access.READ_ONLY));
    volumes.add(new Volume(data.resolve("gshare"), "/gshare", Volume.Access.SHARED));
    // A volume is never inside another one: files that a task wrote into the outer volume must not
    // determine where the inner one appears for the next task. The outer volume serves both, and is
    // kept.
    boolean outputBelowData = isBelow(directories.output(), directories.data());
    if (outputBelowData && needsVolume(directories.data())) {
      volumes.add(jobVolume(job, "output", directories.data()));
      return volumes;
    }
    if (needsVolume(directories.output())) {
      volumes.add(jobVolume(job, "output", directories.output()));
    }
    if (needsVolume(directories.data()) && !isBelow(directories.data(), directories.output())) {
      volumes.add(jobVolume(job, "data", directories.data()));
    }
    return volumes;
  }

  /** Returns whether a path equals the other one or is below it. */
  private static boolean isBelow(String path, String ancestor) {
    if (!path.startsWith("/") || !ancestor.startsWith("/")) {
      return false;
    }
    List<String> outer = names(ancestor);
    List<String> inner = names(path);
    return inner.size() >= outer.size() && inner.subList(0, outer.size()).equals(outer);
  }

  /**
   * Returns a script that creates the directories without a volume of their own, which are in the
   * home or in another volume. The task itself runs it, so that a symbolic link that the user left
   * there leads no further than the user's own programs can reach.
   */
  static String preparation(TaskDirectories directories) {
    StringBuilder script = new StringBuilder();
    String data = directories.data();
    String output = directories.output();
    if (data.startsWith("/") && (!needsVolume(data) || isBelow(data, output))) {
      script.append(mkdirCommand(data));
    }
    if (output.startsWith("/") && (!needsVolume(output) || isBelow(output, data))) {
      script.append(mkdirCommand(output));
    }
    return script.toString();
  }

  private static String mkdirCommand(String path) {
    return "mkdir -p -- '" + path.replace("'", "'\\''") + "'\n";
  }

  private Volume jobVolume(JobId job, String name, String target) {
    return new Volume(JobFilesDirectory.of(data, job).resolve(name), target, Volume.Access.OWNED);
  }

  private Path home(String user) {
    Path homes = data.resolve("home");
    Path home = homes.resolve(user).normalize();
    // User names are validated when users are created; a home must not depend on that.
    if (!homes.equals(home.getParent())) {
      throw new EngineException("the user name " + user + " is invalid as a directory name");
    }
    return home;
  }

  /**
   * Returns whether the path needs a volume because nothing is there yet. Leaves it to the engine
   * to reject invalid paths.
   */
  static boolean needsVolume(String path) {
    if (!path.startsWith("/")) {
      return false;
    }
    List<String> names = names(path);
    if (names.isEmpty()) {
      return false;
    }
    String first = names.getFirst();
    boolean isExistingDirectory = names.size() == 1 && EXISTING_DIRECTORIES.contains(first);
    return !PLATFORM_DIRECTORIES.contains(first)
        && !SYSTEM_DIRECTORIES.contains(first)
        && !isExistingDirectory;
  }

  private static List<String> names(String path) {
    return Arrays.stream(path.split("/", -1))
        .filter(name -> !name.isEmpty() && !name.equals("."))
        .toList();
  }
}
