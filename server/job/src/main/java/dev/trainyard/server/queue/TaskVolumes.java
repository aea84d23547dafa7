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
 * Which directories of the server's data a task sees, and where. A directory that the job file
 * names gets room of the job's own, unless the path lies where something is already: in the user's
 * home, among the data sets, in a directory of the system.
 */
final class TaskVolumes {
  private static final Set<String> OURS = Set.of("userhome", "gdata", "gshare");
  private static final Set<String> SYSTEM =
      Set.of("bin", "etc", "lib", "lib32", "lib64", "libx32", "sbin", "usr");
  private static final Set<String> EXISTING =
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
    // A volume never lies inside another: what a task wrote into the outer one must not decide
    // where the inner one appears for the next task. The outer serves both, and is kept.
    boolean outputWithin = isBelow(directories.output(), directories.data());
    if (outputWithin && needsRoom(directories.data())) {
      volumes.add(ownRoom(job, "output", directories.data()));
      return volumes;
    }
    if (needsRoom(directories.output())) {
      volumes.add(ownRoom(job, "output", directories.output()));
    }
    if (needsRoom(directories.data()) && !isBelow(directories.data(), directories.output())) {
      volumes.add(ownRoom(job, "data", directories.data()));
    }
    return volumes;
  }

  /** Whether a path is the other one or lies below it. */
  private static boolean isBelow(String path, String other) {
    if (!path.startsWith("/") || !other.startsWith("/")) {
      return false;
    }
    List<String> outer = names(other);
    List<String> inner = names(path);
    return inner.size() >= outer.size() && inner.subList(0, outer.size()).equals(outer);
  }

  /**
   * Makes the directories that have no room of their own, in the home or in another one. Done by
   * the task itself: a link that the user left there leads no further than the user's own programs
   * get.
   */
  static String preparation(TaskDirectories directories) {
    StringBuilder script = new StringBuilder();
    String data = directories.data();
    String output = directories.output();
    if (data.startsWith("/") && (!needsRoom(data) || isBelow(data, output))) {
      script.append(making(data));
    }
    if (output.startsWith("/") && (!needsRoom(output) || isBelow(output, data))) {
      script.append(making(output));
    }
    return script.toString();
  }

  private static String making(String path) {
    return "mkdir -p -- '" + path.replace("'", "'\\''") + "'\n";
  }

  private Volume ownRoom(JobId job, String name, String target) {
    return new Volume(JobFilesDirectory.of(data, job).resolve(name), target, Volume.Access.OWNED);
  }

  private Path home(String user) {
    Path homes = data.resolve("home");
    Path home = homes.resolve(user).normalize();
    // User names are checked where users are made; a home must not depend on that.
    if (!homes.equals(home.getParent())) {
      throw new EngineException("the user name " + user + " can't be a directory");
    }
    return home;
  }

  /** Whether nothing is there yet; a path that makes no sense is left to the engine to refuse. */
  static boolean needsRoom(String path) {
    if (!path.startsWith("/")) {
      return false;
    }
    List<String> names = names(path);
    if (names.isEmpty()) {
      return false;
    }
    String first = names.getFirst();
    boolean existing = names.size() == 1 && EXISTING.contains(first);
    return !OURS.contains(first) && !SYSTEM.contains(first) && !existing;
  }

  private static List<String> names(String path) {
    return Arrays.stream(path.split("/", -1))
        .filter(name -> !name.isEmpty() && !name.equals("."))
        .toList();
  }
}
