package dev.trainyard.server.openpai;

import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.diagnosis.ExitTable;
import dev.trainyard.server.job.Attempt;
import dev.trainyard.server.job.AttemptEnd;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.PreviousRun;
import dev.trainyard.server.job.Task;
import dev.trainyard.server.job.TaskDiagnosis;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A task in OpenPAI's format. In this format, the attempts of a task are its runs, numbered from 0;
 * a task that was retried individually has several runs.
 *
 * @param attempt the job's attempt; empty before the first attempt
 * @param key name of the task's role as clients receive it
 */
record TaskView(Job job, Optional<Attempt> attempt, String key) {
  /** The engine that ignores images. */
  private static final String PROCESS_ENGINE = "process";

  /**
   * @param previous the newest run before the current run, or before the next run if the task waits
   *     for a retry; empty if the task was never retried
   */
  Map<String, Object> status(Task task, Optional<PreviousRun> previous) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("taskIndex", task.id().index());
    view.put("taskUid", PaiNames.uid("task", task.id()));
    view.put("taskState", state(task, previous));
    putContainer(view, task, diagnosed(task));
    putRetries(view, task, previous);
    putTimes(view, task);
    view.put("attemptId", task.id().retry());
    view.put("attemptState", States.state(job, task));
    putRunTimes(view, task);
    view.put("hived", hived());
    return view;
  }

  /** Returns the view of a task that is not placed yet, or that was never placed. */
  Map<String, Object> unplaced(String role, int index) {
    TaskId id = new TaskId(job.id(), attempt.map(Attempt::number).orElse(1), role, index);
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("taskIndex", index);
    view.put("taskUid", PaiNames.uid("task", id));
    view.put("taskState", unplacedState());
    putNoContainer(view, id);
    putNoRetries(view);
    putNoTimes(view);
    view.put("attemptId", 0);
    view.put("attemptState", unplacedState());
    putNoRunTimes(view);
    view.put("hived", hived());
    return view;
  }

  /** Like {@link #history}, for a task that is not placed yet, or that was never placed. */
  Map<String, Object> unplacedHistory(TaskId id) {
    Map<String, Object> view = new LinkedHashMap<>();
    putNames(view, id);
    view.put("taskState", unplacedState());
    putNoRetries(view);
    putNoTimes(view);
    Map<String, Object> run = new LinkedHashMap<>();
    run.put("attemptId", 0);
    run.put("attemptState", unplacedState());
    putNoTimes(run);
    putNoRunTimes(run);
    putNoContainer(run, id);
    run.put("hived", hived());
    view.put("attempts", List.of(run));
    return view;
  }

  /** Returns STOPPED if the attempt or the job has ended, so that the task will never be placed. */
  private String unplacedState() {
    boolean isEnded = attempt.flatMap(Attempt::ended).isPresent() || job.state().isFinal();
    return isEnded ? "STOPPED" : "WAITING";
  }

  private void putNoContainer(Map<String, Object> view, TaskId id) {
    for (String field : List.of("containerId", "containerIp", "containerNodeName")) {
      view.put(field, null);
    }
    view.put("containerPorts", Map.of());
    view.put("containerGpus", null);
    view.put("containerLog", logs(id));
    for (String field :
        List.of("containerExitCode", "containerExitSpec", "containerExitDiagnostics")) {
      view.put(field, null);
    }
  }

  private static void putNoRetries(Map<String, Object> view) {
    view.put("retries", 0);
    view.put("accountableRetries", 0);
  }

  private static void putNoTimes(Map<String, Object> view) {
    for (String time : List.of("createdTime", "launchedTime", "completedTime")) {
      view.put(time, null);
    }
  }

  private static void putNoRunTimes(Map<String, Object> view) {
    for (String time : List.of("Created", "Launched", "Completed")) {
      view.put("currentAttempt" + time + "Time", null);
    }
  }

  private void putNames(Map<String, Object> view, TaskId id) {
    view.put("username", job.userName());
    view.put("jobName", job.name());
    view.put("jobAttemptId", id.attempt() - 1);
    view.put("taskRoleName", key);
    view.put("taskIndex", id.index());
    view.put("taskUid", PaiNames.uid("task", id));
  }

  /**
   * Returns a task with its runs, newest first.
   *
   * @param previous runs before the current run, or before the next run if the task waits for a
   *     retry; newest first
   */
  Map<String, Object> history(Task task, List<PreviousRun> previous) {
    Optional<PreviousRun> newest = previous.stream().findFirst();
    Map<String, Object> view = new LinkedHashMap<>();
    putNames(view, task.id());
    view.put("taskState", state(task, newest));
    putRetries(view, task, newest);
    putTimes(view, task);
    List<Map<String, Object>> runs = new ArrayList<>();
    runs.add(run(task, diagnosed(task)));
    for (PreviousRun run : previous) {
      // While the next run waits for resources, the newest run is both the run of the task and the
      // first of the previous runs.
      if (run.id().retry() != task.id().retry()) {
        runs.add(run(run.task(), Optional.empty()));
      }
    }
    view.put("attempts", runs);
    return view;
  }

  /**
   * Returns the diagnosis of the attempt if it is about this task, and then about its last run;
   * empty if another task caused the end of the attempt.
   */
  private Optional<TaskDiagnosis> diagnosed(Task task) {
    return attempt
        .flatMap(Attempt::end)
        .flatMap(AttemptEnd::diagnosis)
        .filter(found -> found.role().equals(task.id().role()))
        .filter(found -> found.index() == task.id().index());
  }

  private Map<String, Object> run(Task task, Optional<TaskDiagnosis> diagnosed) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("attemptId", task.id().retry());
    view.put("attemptState", States.state(job, task));
    putTimes(view, task);
    putRunTimes(view, task);
    putContainer(view, task, diagnosed);
    view.put("hived", hived());
    return view;
  }

  /** Returns the state of a task; a task whose next run has not started yet is waiting. */
  private String state(Task task, Optional<PreviousRun> previous) {
    boolean waitsForRetry =
        previous.filter(run -> run.id().retry() == task.id().retry()).isPresent()
            && attempt.flatMap(Attempt::end).isEmpty();
    return waitsForRetry ? "WAITING" : States.state(job, task);
  }

  private static void putRetries(
      Map<String, Object> view, Task task, Optional<PreviousRun> previous) {
    view.put("retries", task.id().retry());
    view.put("accountableRetries", previous.map(run -> run.next().past().counted()).orElse(0));
  }

  private Object created() {
    return attempt.map(Attempt::created).orElse(null);
  }

  private void putTimes(Map<String, Object> view, Task task) {
    view.put("createdTime", created());
    view.put("launchedTime", JobSummary.millis(task.started()));
    view.put("completedTime", ended(task));
  }

  private void putRunTimes(Map<String, Object> view, Task task) {
    view.put("currentAttemptCreatedTime", created());
    view.put("currentAttemptLaunchedTime", JobSummary.millis(task.started()));
    view.put("currentAttemptCompletedTime", ended(task));
  }

  private static Long ended(Task task) {
    return JobSummary.millis(task.end().map(TaskEnd::at));
  }

  private void putContainer(
      Map<String, Object> view, Task task, Optional<TaskDiagnosis> diagnosed) {
    view.put("containerId", PaiNames.containerUid(task.id()));
    view.put("containerIp", task.address().orElse(null));
    view.put("containerNodeName", task.node());
    view.put("containerPorts", ports(task));
    view.put("containerGpus", null);
    view.put("containerLog", logs(task.id()));
    Integer code = States.exitCode(job, task);
    view.put("containerExitCode", code);
    view.put("containerExitSpec", task.end().map(end -> spec(task, end, diagnosed)).orElse(null));
    view.put(
        "containerExitDiagnostics",
        task.end().map(TaskEnd::detail).filter(detail -> !detail.isEmpty()).orElse(null));
  }

  /** Returns the row of the exit table that determines whether the platform retries the task. */
  private Map<String, Object> spec(Task task, TaskEnd end, Optional<TaskDiagnosis> diagnosed) {
    int code = States.exitCode(job, task);
    if (code == States.STOPPED_CODE || code == States.SURPLUS_CODE) {
      return ExitSpecs.ofStop(code);
    }
    return diagnosed
        .map(found -> ExitSpecs.of(found.diagnosis().exit(), code, found.withoutImage()))
        .orElseGet(
            () -> ExitSpecs.of(ExitTable.of(end), code, task.engine().equals(PROCESS_ENGINE)));
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

  private String logs(TaskId run) {
    return "/api/v2/jobs/%s/attempts/%d/taskRoles/%s/taskIndex/%d/attempts/%d/logs"
        .formatted(PaiNames.frameworkName(job), run.attempt() - 1, key, run.index(), run.retry());
  }

  private static Map<String, Object> hived() {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("affinityGroupName", null);
    view.put("lazyPreempted", null);
    view.put("lazyPreemptionStatus", null);
    return view;
  }
}
