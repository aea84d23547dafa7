package dev.trainyard.server.queue;

import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.TaskResources;
import dev.trainyard.server.job.Job;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The environment variables of a task that are known before the task is placed, as in OpenPAI and
 * LeinaoPAI; {@link Peers} adds the variables about ports and addresses. Differences between the
 * job file formats are documented in docs/jobs.md.
 */
final class TaskEnvironment {
  /**
   * Maximum total size of the variables about all roles. Variables that exceed this size in total
   * are omitted, because the size of a program's environment is limited.
   */
  private static final int MAX_ROLE_VARIABLE_BYTES = 96 * 1024;

  private final JobSpec spec;
  private final boolean isV2;
  private final Map<String, String> sharedVariables = new LinkedHashMap<>();
  private final FrameworkVariables framework;

  /**
   * Prepares the variables that all tasks of the job share.
   *
   * @param platformVariables variables with which a task reaches the platform
   */
  TaskEnvironment(
      Job job, JobSpec spec, TaskDirectories directories, Map<String, String> platformVariables) {
    this.spec = spec;
    this.isV2 = spec.format() == JobFormat.OPENPAI_V2;
    this.framework = new FrameworkVariables(job);
    sharedVariables.putAll(platformVariables);
    addJobVariables(job);
    set("PAI_OUTPUT_DIR", directories.output());
    if (!isV2) {
      addOldFormatVariables(directories);
    }
    sharedVariables.putAll(roleVariables());
  }

  /** Returns notices for the owner of the job. */
  static List<Message> notices(JobSpec spec) {
    return size(allRoleVariables(spec)) > MAX_ROLE_VARIABLE_BYTES
        ? List.of(Message.of("notice.role-variables", "roles", spec.roles().size()))
        : List.of();
  }

  Map<String, String> of(TaskId task, RoleSpec role) {
    Map<String, String> variables = new HashMap<>(sharedVariables);
    addTaskVariables(variables, task, role);
    if (isV2) {
      framework.addTo(variables, task);
    }
    // Added last, because variables of the job file take precedence.
    variables.putAll(spec.environment());
    return variables;
  }

  private void set(String name, Object value) {
    sharedVariables.put(name, String.valueOf(value));
  }

  private void addJobVariables(Job job) {
    // Disables buffering in Python, so that a line appears in the log when it is printed and not
    // when a buffer is full.
    set("PYTHONUNBUFFERED", "1");
    if (isV2) {
      set("PAI_JOB_NAME", framework.jobName());
      set("PAI_FRAMEWORK_NAME", framework.jobName());
    } else {
      set("PAI_JOB_NAME", job.name());
    }
    set("PAI_USER_NAME", job.userName());
    set("PAI_USERNAME", job.userName());
    set("PAI_VIRTUAL_CLUSTER", spec.virtualCluster());
    set("PAI_DEFAULT_FS_URI", "");
    for (String name :
        List.of("PAI_TASK_ROLE_COUNT", "PAI_TASK_ROLES_NUM", "PAI_JOB_TASK_ROLE_COUNT")) {
      set(name, spec.roles().size());
    }
    for (String name : List.of("PAI_TASKS_NUM", "PAI_JOB_TASK_COUNT")) {
      set(name, spec.taskCount());
    }
  }

  private void addOldFormatVariables(TaskDirectories directories) {
    set("PAI_JOB_VC_NAME", spec.virtualCluster());
    set("PAI_DATA_DIR", directories.data());
    set("PAI_CODE_DIR", directories.code());
    set("PAI_KILL_ALL_ON_COMPLETED_TASK_NUM", 0);
  }

  /**
   * Adds the variables of one task. Jobs in format v2 also get the variables of format v1, because
   * job files converted from v1 use them.
   */
  private void addTaskVariables(Map<String, String> variables, TaskId task, RoleSpec role) {
    TaskResources resources = role.resources();
    String index = String.valueOf(task.index());
    String count = String.valueOf(role.taskCount());
    String cpus = String.valueOf(resources.cpus());
    String memory = String.valueOf(resources.memory().megabytes());
    String devices = String.valueOf(resources.devices());
    variables.put("PAI_CONTAINER_ID", task.toString());
    variables.put("PAI_TASK_INDEX", index);
    variables.put("PAI_TASK_ROLE_NAME", role.name());
    variables.put("PAI_TASK_ROLE_NUM", count);
    variables.put("PAI_TASK_ROLE_INDEX", index);
    variables.put("PAI_TASK_CPU_NUM", cpus);
    variables.put("PAI_TASK_MEM_MB", memory);
    variables.put("PAI_TASK_GPU_NUM", devices);
    variables.put("PAI_RESOURCE", resourceList(role));
    variables.put("PAI_CURRENT_TASK_ROLE_NAME", role.name());
    variables.put("PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX", index);
    variables.put("PAI_CURRENT_TASK_ROLE_TASK_COUNT", count);
    variables.put("PAI_CURRENT_TASK_ROLE_CPU_COUNT", cpus);
    variables.put("PAI_CURRENT_TASK_ROLE_MEM_MB", memory);
    variables.put(
        "PAI_CURRENT_TASK_ROLE_SHM_MB", String.valueOf(resources.sharedMemory().megabytes()));
    variables.put("PAI_CURRENT_TASK_ROLE_GPU_COUNT", devices);
    variables.put(
        "PAI_CURRENT_TASK_ROLE_MIN_FAILED_TASK_COUNT",
        minimumCount(spec.format(), role.minFailed()));
    variables.put(
        "PAI_CURRENT_TASK_ROLE_MIN_SUCCEEDED_TASK_COUNT",
        minimumCount(spec.format(), role.minSucceeded()));
  }

  private Map<String, String> roleVariables() {
    Map<String, String> variables = allRoleVariables(spec);
    return size(variables) <= MAX_ROLE_VARIABLE_BYTES ? variables : Map.of();
  }

  private static Map<String, String> allRoleVariables(JobSpec spec) {
    Map<String, String> variables = new LinkedHashMap<>();
    String roles = spec.roles().stream().map(RoleSpec::name).collect(Collectors.joining(","));
    variables.put("PAI_TASK_ROLE_LIST", roles);
    variables.put("PAI_JOB_TASK_ROLE_LIST", roles);
    for (RoleSpec role : spec.roles()) {
      String name = role.name();
      variables.put("PAI_TASK_ROLE_TASK_COUNT_" + name, String.valueOf(role.taskCount()));
      variables.put("PAI_RESOURCE_" + name, resourceList(role));
      variables.put(
          "PAI_MIN_FAILED_TASK_COUNT_" + name, minimumCount(spec.format(), role.minFailed()));
      variables.put(
          "PAI_MIN_SUCCEEDED_TASK_COUNT_" + name, minimumCount(spec.format(), role.minSucceeded()));
    }
    return variables;
  }

  private static long size(Map<String, String> variables) {
    long size = 0;
    for (var variable : variables.entrySet()) {
      size += variable.getKey().length() + variable.getValue().length() + 2L;
    }
    return size;
  }

  /**
   * Formats the resources of a role; OpenPAI writes 0 for shared memory that a v2 file does not
   * request.
   */
  private static String resourceList(RoleSpec role) {
    TaskResources resources = role.resources();
    long sharedMemory = role.usualSharedMemory() ? 0 : resources.sharedMemory().megabytes();
    return resources.devices()
        + ","
        + resources.cpus()
        + ","
        + resources.memory().megabytes()
        + ","
        + sharedMemory;
  }

  /** Formats a minimum count. A disabled rule is -1 in format v2 and empty in the other formats. */
  private static String minimumCount(JobFormat format, int number) {
    if (number > 0) {
      return String.valueOf(number);
    }
    return format == JobFormat.OPENPAI_V2 ? "-1" : "";
  }
}
