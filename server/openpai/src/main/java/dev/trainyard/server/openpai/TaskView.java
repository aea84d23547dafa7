package dev.trainyard.server.openpai;

import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.diagnosis.ExitTable;
import dev.trainyard.server.job.Attempt;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.Task;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A task in OpenPAI's format. OpenPAI retries each task individually; on this platform an attempt
 * of a job runs each of its tasks once, so a task's only attempt is number 0.
 *
 * @param key name of the task's role for clients
 */
record TaskView(Job job, Attempt attempt, String key) {

  Map<String, Object> status(Task task) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("taskIndex", task.id().index());
    view.put("taskUid", PaiNames.uid("task", task.id()));
    view.put("taskState", States.state(job, task));
    putContainer(view, task);
    view.put("retries", 0);
    view.put("accountableRetries", 0);
    putTimes(view, task);
    view.put("attemptId", 0);
    view.put("attemptState", States.state(job, task));
    view.put("currentAttemptCreatedTime", attempt.created());
    view.put("currentAttemptLaunchedTime", JobSummary.millis(task.started()));
    view.put("currentAttemptCompletedTime", ended(task));
    view.put("hived", hived());
    return view;
  }

  /** Returns the view of a task that is not placed yet. */
  static Map<String, Object> waiting(int index) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("taskIndex", index);
    view.put("taskUid", null);
    view.put("taskState", "WAITING");
    for (String field : List.of("containerId", "containerIp", "containerNodeName")) {
      view.put(field, null);
    }
    view.put("containerPorts", Map.of());
    for (String field :
        List.of(
            "containerGpus",
            "containerLog",
            "containerExitCode",
            "containerExitSpec",
            "containerExitDiagnostics")) {
      view.put(field, null);
    }
    view.put("retries", 0);
    view.put("accountableRetries", 0);
    for (String time : List.of("createdTime", "launchedTime", "completedTime")) {
      view.put(time, null);
    }
    view.put("attemptId", 0);
    view.put("attemptState", "WAITING");
    view.put("hived", hived());
    return view;
  }

  /** Returns a task with its attempts. */
  Map<String, Object> history(Task task) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("username", job.userName());
    view.put("jobName", job.name());
    view.put("jobAttemptId", attempt.number() - 1);
    view.put("taskRoleName", key);
    view.put("taskIndex", task.id().index());
    view.put("taskUid", PaiNames.uid("task", task.id()));
    view.put("taskState", States.state(job, task));
    view.put("retries", 0);
    view.put("accountableRetries", 0);
    putTimes(view, task);
    Map<String, Object> attemptView = new LinkedHashMap<>();
    attemptView.put("attemptId", 0);
    attemptView.put("attemptState", States.state(job, task));
    putTimes(attemptView, task);
    putContainer(attemptView, task);
    attemptView.put("hived", hived());
    view.put("attempts", List.of(attemptView));
    return view;
  }

  private void putTimes(Map<String, Object> view, Task task) {
    view.put("createdTime", attempt.created());
    view.put("launchedTime", JobSummary.millis(task.started()));
    view.put("completedTime", ended(task));
  }

  private static Long ended(Task task) {
    return JobSummary.millis(task.end().map(TaskEnd::at));
  }

  private void putContainer(Map<String, Object> view, Task task) {
    view.put("containerId", PaiNames.uid("container", task.id()));
    view.put("containerIp", task.address().orElse(null));
    view.put("containerNodeName", task.node());
    view.put("containerPorts", ports(task));
    view.put("containerGpus", null);
    view.put("containerLog", logs(task.id()));
    Integer code = States.exitCode(job, task);
    view.put("containerExitCode", code);
    view.put("containerExitSpec", task.end().map(end -> spec(end, code)).orElse(null));
    view.put(
        "containerExitDiagnostics",
        task.end().map(TaskEnd::detail).filter(detail -> !detail.isEmpty()).orElse(null));
  }

  private static Map<String, Object> spec(TaskEnd end, int code) {
    return code == States.STOPPED_CODE || code == States.SURPLUS_CODE
        ? ExitSpecs.ofStop(code)
        : ExitSpecs.of(ExitTable.of(end));
  }

  private static Map<String, String> ports(Task task) {
    Map<String, String> ports = new LinkedHashMap<>();
    task.ports()
        .byLabel()
        .forEach(
            (label, numbers) ->
                ports.put(
                    label, numbers.stream().map(String::valueOf).collect(Collectors.joining(","))));
    return ports;
  }

  private String logs(TaskId task) {
    return "/api/v2/jobs/%s/attempts/%d/taskRoles/%s/taskIndex/%d/attempts/0/logs"
        .formatted(PaiNames.frameworkName(job), task.attempt() - 1, key, task.index());
  }

  private static Map<String, Object> hived() {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("affinityGroupName", null);
    view.put("lazyPreempted", null);
    view.put("lazyPreemptionStatus", null);
    return view;
  }
}
