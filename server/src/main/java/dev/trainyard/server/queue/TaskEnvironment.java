package dev.trainyard.server.queue;

import dev.trainyard.model.JobSpec;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.TaskResources;
import dev.trainyard.server.job.Job;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * The variables of a task of an OpenPAI v1 job, as OpenPAI and LeinaoPAI set them, but those about
 * ports and addresses, which {@link Peers} adds when they are known.
 */
final class TaskEnvironment {
  /** Variables per role are left out beyond this, since a program can't be given any amount. */
  private static final int MOST_PER_ROLE = 96 * 1024;

  private final JobSpec spec;
  private final Map<String, String> shared = new LinkedHashMap<>();

  /** What all tasks of the job have in common, made once. */
  TaskEnvironment(Job job, JobSpec spec, TaskDirectories directories) {
    this.spec = spec;
    ofTheMachine();
    ofTheJob(job, directories);
    ofEachRole();
  }

  Map<String, String> of(TaskId task, RoleSpec role) {
    Map<String, String> variables = new HashMap<>(shared);
    ofTheTask(variables, task, role);
    // Last, because what the file says itself wins.
    variables.putAll(spec.environment());
    return variables;
  }

  private void set(String name, Object value) {
    shared.put(name, String.valueOf(value));
  }

  private void ofTheMachine() {
    set("HOME", TaskSpecs.HOME);
    set("USER", "root");
    set("LOGNAME", "root");
    set("LANG", "C.UTF-8");
    set(
        "PATH",
        "/usr/local/nvidia/bin:/usr/local/cuda/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:"
            + "/usr/bin:/sbin:/bin");
    // Whoever watches a log wants the line when it is printed, not when a buffer is full.
    set("PYTHONUNBUFFERED", "1");
  }

  private void ofTheJob(Job job, TaskDirectories directories) {
    String roles = spec.roles().stream().map(RoleSpec::name).collect(Collectors.joining(","));
    set("PAI_JOB_NAME", job.name());
    set("PAI_USER_NAME", job.userName());
    set("PAI_USERNAME", job.userName());
    set("PAI_JOB_VC_NAME", spec.virtualCluster());
    set("PAI_VIRTUAL_CLUSTER", spec.virtualCluster());
    set("PAI_DEFAULT_FS_URI", "");
    set("PAI_DATA_DIR", directories.data());
    set("PAI_OUTPUT_DIR", directories.output());
    set("PAI_CODE_DIR", directories.code());
    set("PAI_WORK_DIR", TaskSpecs.HOME);
    for (String name :
        List.of("PAI_TASK_ROLE_COUNT", "PAI_TASK_ROLES_NUM", "PAI_JOB_TASK_ROLE_COUNT")) {
      set(name, spec.roles().size());
    }
    for (String name : List.of("PAI_TASK_ROLE_LIST", "PAI_JOB_TASK_ROLE_LIST")) {
      set(name, roles);
    }
    for (String name : List.of("PAI_TASKS_NUM", "PAI_JOB_TASK_COUNT")) {
      set(name, spec.taskCount());
    }
    set("PAI_KILL_ALL_ON_COMPLETED_TASK_NUM", 0);
  }

  private static void ofTheTask(Map<String, String> variables, TaskId task, RoleSpec role) {
    TaskResources needs = role.resources();
    BiConsumer<String, Object> own = (name, value) -> variables.put(name, String.valueOf(value));
    own.accept("PAI_CONTAINER_ID", task);
    own.accept("PAI_TASK_INDEX", task.index());
    own.accept("PAI_TASK_ROLE_NAME", role.name());
    own.accept("PAI_TASK_ROLE_NUM", role.taskCount());
    own.accept("PAI_TASK_ROLE_INDEX", task.index());
    own.accept("PAI_TASK_CPU_NUM", needs.cpus());
    own.accept("PAI_TASK_MEM_MB", needs.memory().megabytes());
    own.accept("PAI_TASK_GPU_NUM", needs.devices());
    own.accept("PAI_RESOURCE", resource(needs));
    own.accept("PAI_CURRENT_TASK_ROLE_NAME", role.name());
    own.accept("PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX", task.index());
    own.accept("PAI_CURRENT_TASK_ROLE_TASK_COUNT", role.taskCount());
    own.accept("PAI_CURRENT_TASK_ROLE_CPU_COUNT", needs.cpus());
    own.accept("PAI_CURRENT_TASK_ROLE_MEM_MB", needs.memory().megabytes());
    own.accept("PAI_CURRENT_TASK_ROLE_SHM_MB", needs.sharedMemory().megabytes());
    own.accept("PAI_CURRENT_TASK_ROLE_GPU_COUNT", needs.devices());
    own.accept("PAI_CURRENT_TASK_ROLE_MIN_FAILED_TASK_COUNT", count(role.minFailed()));
    own.accept("PAI_CURRENT_TASK_ROLE_MIN_SUCCEEDED_TASK_COUNT", count(role.minSucceeded()));
  }

  private void ofEachRole() {
    Map<String, String> perRole = new LinkedHashMap<>();
    long size = 0;
    for (RoleSpec role : spec.roles()) {
      Map<String, String> own =
          Map.of(
              "PAI_TASK_ROLE_TASK_COUNT_" + role.name(),
              String.valueOf(role.taskCount()),
              "PAI_RESOURCE_" + role.name(),
              resource(role.resources()),
              "PAI_MIN_FAILED_TASK_COUNT_" + role.name(),
              count(role.minFailed()),
              "PAI_MIN_SUCCEEDED_TASK_COUNT_" + role.name(),
              count(role.minSucceeded()));
      for (var variable : own.entrySet()) {
        size += variable.getKey().length() + variable.getValue().length() + 2L;
      }
      perRole.putAll(own);
    }
    if (size <= MOST_PER_ROLE) {
      shared.putAll(perRole);
    }
  }

  private static String resource(TaskResources needs) {
    return needs.devices()
        + ","
        + needs.cpus()
        + ","
        + needs.memory().megabytes()
        + ","
        + needs.sharedMemory().megabytes();
  }

  /** A rule that is switched off is an empty text, as null is in OpenPAI. */
  private static String count(int number) {
    return number == 0 ? "" : String.valueOf(number);
  }
}
