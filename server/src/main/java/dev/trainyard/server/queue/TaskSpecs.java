package dev.trainyard.server.queue;

import dev.trainyard.engine.TaskSpec;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobConfig;
import dev.trainyard.server.log.LogStore;
import dev.trainyard.server.user.User;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the engine is told to run for a task: the job file, its owner and the task's place, put
 * together. Touches nothing on disk.
 */
public final class TaskSpecs {
  static final String HOME = "/userhome";

  private static final int LONGEST_HOST_NAME = 63;

  private final LogStore logs;
  private final TaskVolumes volumes;
  private final DataSize logLimit;

  /**
   * @param data the server's data directory
   * @param logLimit of each stream of a task
   */
  public TaskSpecs(Path data, LogStore logs, DataSize logLimit) {
    this.logs = logs;
    this.volumes = new TaskVolumes(data);
    this.logLimit = logLimit;
  }

  TaskSpec of(Job job, JobConfig config, User owner, TaskId task, List<Device> devices) {
    JobSpec spec = config.spec();
    RoleSpec role = spec.role(task.role());
    TaskDirectories directories = TaskDirectories.of(job, spec);
    Map<String, String> environment = TaskEnvironment.of(job, spec, task, directories);
    return new TaskSpec(
        task,
        owner.name(),
        owner.idRange(),
        hostName(task),
        spec.image(),
        role.command(),
        environment,
        HOME,
        role.resources(),
        List.of(),
        devices,
        volumes.of(job.id(), owner, directories),
        files(config, directories),
        logs.directory(task),
        logLimit);
  }

  private static Map<String, String> files(JobConfig config, TaskDirectories directories) {
    Map<String, String> files = new HashMap<>();
    files.put("runtime.d/job_config.json", config.raw());
    String preparation = TaskVolumes.preparation(directories);
    if (!preparation.isEmpty()) {
      files.put("runtime.d/precommands.sh", preparation);
    }
    return files;
  }

  /** {@code role-index}, with what a host name can't have replaced. */
  static String hostName(TaskId task) {
    String suffix = "-" + task.index();
    String role =
        task.role()
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9]+", "-")
            .replaceAll("^-+", "")
            .replaceAll("-+$", "");
    String name = role.isEmpty() ? "task" : role;
    return name.substring(0, Math.min(name.length(), LONGEST_HOST_NAME - suffix.length())) + suffix;
  }
}
