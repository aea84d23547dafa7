package dev.trainyard.engine;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.TaskResources;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Everything an engine needs to run a task.
 *
 * @param idRange the owner's number among all users of the platform, from 0; engines that separate
 *     users by host ids give each number a range of its own
 * @param hostName what the task calls its machine
 * @param script run by bash if there is one, else sh, without errexit; its last exit code decides
 * @param environment variables the task starts with, on top of those of its image and before the
 *     late ones; an engine adds where the task starts as {@code PAI_WORK_DIR}
 * @param workingDirectory where it starts, used by engines whose images don't say
 * @param ports of the node that are this task's, for whatever it listens on
 * @param devices exactly these cards and no others
 * @param files small texts put below {@code /usr/local/pai}, by relative path; one called {@code
 *     runtime.d/precommands.sh} is run by sh inside the task before the script, one called {@code
 *     runtime.d/around.sh} in place of the script: its arguments are the directory of {@link
 *     SecretFiles} and the script. A name that ends with a slash, at the top, is a symbolic link to
 *     the path that its text is
 * @param logDirectory gets the files {@code stdout} and {@code stderr}, which stay after removal
 * @param logLimit after this many bytes of one stream the middle is dropped, and the log says so
 * @param rights an engine that can't give them refuses the task
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

  /** What was stored before there were rights comes without them. */
  public TaskSpec {
    rights = rights == null ? TaskRights.USUAL : rights;
    environment = Map.copyOf(environment);
    ports = List.copyOf(ports);
    devices = List.copyOf(devices);
    volumes = List.copyOf(volumes);
    files = Map.copyOf(files);
  }

  /** A task with the usual rights. */
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
        TaskRights.USUAL);
  }

  public TaskSpec withRights(TaskRights others) {
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
        others);
  }
}
