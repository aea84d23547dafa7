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
    if (needsRoom(directories.output())) {
      volumes.add(ownRoom(job, "output", directories.output()));
    }
    if (needsRoom(directories.data()) && !samePath(directories.data(), directories.output())) {
      volumes.add(ownRoom(job, "data", directories.data()));
    }
    return volumes;
  }

  /**
   * Makes the directories that lie in the home or another existing place. Done by the task itself:
   * a link that the user left there leads no further than the user's own programs get.
   */
  static String preparation(TaskDirectories directories) {
    StringBuilder script = new StringBuilder();
    for (String path : List.of(directories.data(), directories.output())) {
      if (path.startsWith("/") && !needsRoom(path)) {
        script.append("mkdir -p -- '").append(path.replace("'", "'\\''")).append("'\n");
      }
    }
    return script.toString();
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

  private static boolean samePath(String one, String other) {
    return names(one).equals(names(other));
  }

  private static List<String> names(String path) {
    return Arrays.stream(path.split("/", -1))
        .filter(name -> !name.isEmpty() && !name.equals("."))
        .toList();
  }
}
