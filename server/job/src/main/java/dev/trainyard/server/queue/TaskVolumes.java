package dev.trainyard.server.queue;

import dev.trainyard.engine.Volume;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskPath;
import dev.trainyard.server.storage.StorageDirectories;
import dev.trainyard.server.user.User;
import java.util.ArrayList;
import java.util.List;

/**
 * The directories of the server's data that are mounted in a task, and their mount points. For a
 * directory that the job file names, the job gets a separate directory, unless the path is below an
 * existing directory: the user's home, the datasets or a system directory.
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
    // A volume is never mounted inside another volume: files that a task wrote to the outer volume
    // must not determine where the inner volume is mounted in the next task. The outer volume is
    // used for both directories and is kept.
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
   * Returns a script that creates the directories that have no volume of their own, because their
   * paths are in the home directory or in another volume. The task itself runs the script, so that
   * a symbolic link that the user created there can lead only to files that the user's programs can
   * access.
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
