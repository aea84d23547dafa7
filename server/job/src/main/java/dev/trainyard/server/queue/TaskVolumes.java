package dev.trainyard.server.queue;

import dev.trainyard.engine.Volume;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskPath;
import dev.trainyard.server.storage.StorageDirectories;
import dev.trainyard.server.user.User;
import java.util.ArrayList;
import java.util.List;

/**
 * The directories of the server's data that a task sees, and their mount points. A directory that
 * the job file names is a separate directory of the job, unless the path is below an existing one:
 * the user's home, the datasets or a system directory.
 */
final class TaskVolumes {
  private final StorageDirectories storage;

  TaskVolumes(StorageDirectories storage) {
    this.storage = storage;
  }

  List<Volume> of(JobId job, User owner, TaskDirectories directories) {
    List<Volume> volumes = new ArrayList<>();
    volumes.add(new Volume(storage.home(owner.name()), TaskSpecs.HOME, Volume.Access.OWNED));
    volumes.add(new Volume(storage.datasets(), "/gdata", Volume.Access.READ_ONLY));
    volumes.add(new Volume(storage.shared(), "/gshare", Volume.Access.SHARED));
    // A volume is never inside another one: files that a task wrote into the outer volume must not
    // determine where the inner one appears for the next task. The outer volume serves both, and is
    // kept.
    boolean outputBelowData = TaskPath.isBelow(directories.output(), directories.data());
    if (outputBelowData && TaskPath.needsVolume(directories.data())) {
      volumes.add(jobVolume(job, "output", directories.data()));
      return volumes;
    }
    if (TaskPath.needsVolume(directories.output())) {
      volumes.add(jobVolume(job, "output", directories.output()));
    }
    if (TaskPath.needsVolume(directories.data())
        && !TaskPath.isBelow(directories.data(), directories.output())) {
      volumes.add(jobVolume(job, "data", directories.data()));
    }
    return volumes;
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
    if (data.startsWith("/") && (!TaskPath.needsVolume(data) || TaskPath.isBelow(data, output))) {
      script.append(mkdirCommand(data));
    }
    if (output.startsWith("/")
        && (!TaskPath.needsVolume(output) || TaskPath.isBelow(output, data))) {
      script.append(mkdirCommand(output));
    }
    return script.toString();
  }

  private static String mkdirCommand(String path) {
    return "mkdir -p -- '" + path.replace("'", "'\\''") + "'\n";
  }

  private Volume jobVolume(JobId job, String name, String target) {
    return new Volume(storage.jobVolume(job, name), target, Volume.Access.OWNED);
  }
}
