package dev.trainyard.engine;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.TaskResources;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * All information that an engine needs to run a task.
 *
 * @param idRange the owner's number among all users of the platform, starting at 0; an engine that
 *     isolates users by host user IDs assigns a separate ID range to each number
 * @param hostName the host name that the task sees
 * @param script shell script, run by bash if available, otherwise by sh, without errexit; the exit
 *     code of its last command is the exit code of the task
 * @param environment variables that the task starts with; they override the variables of the image
 *     and are overridden by the variables of {@link TaskStart}; the engine adds the initial working
 *     directory as {@code PAI_WORK_DIR}
 * @param workingDirectory initial working directory, for engines whose images do not specify one
 * @param ports ports of the node that are allocated to this task
 * @param devices the only devices that the task can access
 * @param files small text files that are created below {@code /usr/local/pai}, by relative path;
 *     {@code runtime.d/precommands.sh} is run by sh inside the task before the script; {@code
 *     runtime.d/around.sh} is run instead of the script, with the directory of {@link SecretFiles}
 *     and the script as its arguments. A top-level name that ends with a slash creates a symbolic
 *     link whose target is the text
 * @param logDirectory directory for the files {@code stdout} and {@code stderr}, which are kept
 *     when the task is removed
 * @param logLimit maximum number of bytes that are kept of the beginning of each stream; the middle
 *     of a longer output is replaced by a notice, and its end is kept (see {@link
 *     LogStream#maxFileBytes})
 * @param rights privileges of the task; an engine that cannot grant them rejects the task
 */
public record TaskSpec(
    TaskId id,
    String user,
    int idRange,
    String hostName,
    String image,
    String script,
    Map<String, String> environment,
    String workingDirectory,
    TaskResources resources,
    List<Integer> ports,
    List<Device> devices,
    List<Volume> volumes,
    Map<String, String> files,
    Path logDirectory,
    DataSize logLimit,
    TaskRights rights) {

  /**
   * Uses the default if {@code rights} is missing, because older stored specs do not contain it.
   */
  public TaskSpec {
    rights = rights == null ? TaskRights.DEFAULT : rights;
    environment = Map.copyOf(environment);
    ports = List.copyOf(ports);
    devices = List.copyOf(devices);
    volumes = List.copyOf(volumes);
    files = Map.copyOf(files);
  }

  /** Creates a task with the default rights. */
  public TaskSpec(
      TaskId id,
      String user,
      int idRange,
      String hostName,
      String image,
      String script,
      Map<String, String> environment,
      String workingDirectory,
      TaskResources resources,
      List<Integer> ports,
      List<Device> devices,
      List<Volume> volumes,
      Map<String, String> files,
      Path logDirectory,
      DataSize logLimit) {
    this(
        id,
        user,
        idRange,
        hostName,
        image,
        script,
        environment,
        workingDirectory,
        resources,
        ports,
        devices,
        volumes,
        files,
        logDirectory,
        logLimit,
        TaskRights.DEFAULT);
  }

  public TaskSpec withRights(TaskRights newRights) {
    return new TaskSpec(
        id,
        user,
        idRange,
        hostName,
        image,
        script,
        environment,
        workingDirectory,
        resources,
        ports,
        devices,
        volumes,
        files,
        logDirectory,
        logLimit,
        newRights);
  }
}
