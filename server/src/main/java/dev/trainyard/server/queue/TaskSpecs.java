package dev.trainyard.server.queue;

import dev.trainyard.engine.EngineException;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the engine is told to run for a task: the job file, its owner and the task's place, put
 * together. Touches nothing on disk.
 */
public final class TaskSpecs {
  static final String HOME = "/userhome";

  /** One string longer than this and no program can be started at all (Linux). */
  private static final int LONGEST_VARIABLE = 128 * 1024 - 1;

  private static final int LARGEST_ENVIRONMENT = 1024 * 1024;
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
    check(environment);
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
        devices,
        volumes.of(job.id(), owner, directories),
        Map.of("runtime.d/job_config.json", config.raw()),
        logs.directory(task),
        logLimit);
  }

  private static void check(Map<String, String> environment) {
    long total = 0;
    for (var variable : environment.entrySet()) {
      int size =
          variable.getKey().getBytes(StandardCharsets.UTF_8).length
              + variable.getValue().getBytes(StandardCharsets.UTF_8).length
              + 2;
      if (size > LONGEST_VARIABLE) {
        throw new EngineException(
            "the variable "
                + variable.getKey()
                + " has "
                + size
                + " bytes, more than the "
                + LONGEST_VARIABLE
                + " that a program can be given");
      }
      total += size;
    }
    if (total > LARGEST_ENVIRONMENT) {
      throw new EngineException(
          "its variables have "
              + total
              + " bytes altogether, more than the "
              + LARGEST_ENVIRONMENT
              + " that a program can be given");
    }
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
