package dev.trainyard.server.openpai;

import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.diagnosis.LogLine;
import dev.trainyard.model.diagnosis.OpenPaiExits;
import dev.trainyard.server.job.Attempt;
import dev.trainyard.server.job.AttemptEnd;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.PreviousRun;
import dev.trainyard.server.job.Task;
import dev.trainyard.server.job.TaskDiagnosis;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A single job in OpenPAI's format.
 *
 * @param attempt the attempt to show; empty before the first attempt
 * @param tasks placed tasks of that attempt
 * @param previousRuns newest previous run of each task that was retried individually
 * @param reason why the job waits or how it ended
 */
record JobDetail(
    Job job,
    JobSpec spec,
    List<String> tags,
    Optional<Attempt> attempt,
    List<Task> tasks,
    List<PreviousRun> previousRuns,
    Optional<Message> reason,
    Instant now) {

  Map<String, Object> view() {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("debugId", PaiNames.debugId(job));
    view.put("name", job.name());
    view.put("tags", tags);
    view.put("jobPriority", JobSummary.priority(job.priority()));
    view.put("jobStatus", status());
    view.put("taskRoles", fields(taskRoles()));
    return view;
  }

  boolean isNewest() {
    return attempt.map(shown -> shown.number() == job.status().attempt()).orElse(true);
  }

  String attemptState() {
    return attempt.map(shown -> States.state(job, shown)).orElse(States.state(job));
  }

  Map<String, Object> status() {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("username", job.userName());
    view.put("state", isNewest() ? States.state(job) : attemptState());
    view.put("subState", isNewest() ? States.subState(job) : "Completed");
    view.put("executionType", States.executionType(job));
    RetryCounts retries = RetryCounts.of(job.status());
    view.put("retries", retries.all());
    view.put("retryDetails", retries);
    view.put("retryDelayTime", RetryCounts.delay(job.status().retries().notBefore(now), now));
    view.put("submissionTime", job.submitted());
    view.put("createdTime", job.submitted());
    view.put("launchedTime", JobSummary.millis(job.status().started()));
    view.put("completedTime", JobSummary.millis(job.status().ended()));
    view.put("attemptId", attempt.map(shown -> shown.number() - 1).orElse(0));
    view.put("attemptState", attemptState());
    view.put("appId", job.id().value());
    view.put("appProgress", isFinished() ? 1 : 0);
    view.put("appTrackingUrl", "");
    view.put("appCreatedTime", attempt.map(Attempt::created).orElse(null));
    view.put("appLaunchedTime", JobSummary.millis(attempt.flatMap(Attempt::started)));
    view.put("appCompletedTime", JobSummary.millis(attempt.flatMap(Attempt::ended)));
    putExit(view);
    view.put("virtualCluster", job.virtualCluster());
    return view;
  }

  private boolean isFinished() {
    return isNewest() ? job.state().isFinal() : true;
  }

  /**
   * Adds the fields about the end of the attempt; their values are null while the attempt is
   * running.
   */
  void putExit(Map<String, Object> view) {
    Optional<TaskDiagnosis> diagnosis = diagnosis();
    Optional<Map<String, Object>> exit = exitSpec(diagnosis);
    view.put("appExitCode", exitCode(exit));
    view.put("appExitSpec", exit.orElse(null));
    view.put("appExitDiagnostics", isFinished() ? reasonText().orElse(null) : null);
    view.put(
        "appExitMessages",
        isFinished() ? messages(diagnosis.flatMap(JobDetail::logLines).orElse(null)) : null);
    view.put(
        "appExitTriggerMessage",
        diagnosis.map(result -> result.diagnosis().exit().phrase().english()).orElse(null));
    Map<String, String> keys = PaiNames.keys(spec.roles());
    view.put(
        "appExitTriggerTaskRoleName",
        diagnosis.map(result -> keys.getOrDefault(result.role(), result.role())).orElse(null));
    view.put("appExitTriggerTaskIndex", diagnosis.map(TaskDiagnosis::index).orElse(null));
    view.put("appExitType", exit.map(spec -> spec.get("type")).orElse(null));
  }

  private Optional<String> reasonText() {
    return isNewest()
        ? reason.map(Message::english)
        : attempt.flatMap(Attempt::end).flatMap(AttemptEnd::reason).map(Message::english);
  }

  private Integer exitCode(Optional<Map<String, Object>> exit) {
    if (exit.isEmpty()) {
      return null;
    }
    Integer code = isNewest() ? States.exitCode(job) : null;
    if (code == null) {
      code =
          attempt
              .flatMap(Attempt::end)
              .filter(end -> end.exitCode().isPresent())
              .map(end -> end.exitCode().getAsInt())
              .orElse(null);
    }
    return code == null ? (Integer) exit.get().get("code") : code;
  }

  private Optional<Map<String, Object>> exitSpec(Optional<TaskDiagnosis> diagnosis) {
    if (!isFinished()) {
      return Optional.empty();
    }
    return switch (isNewest() ? States.state(job) : attemptState()) {
      case "SUCCEEDED" -> Optional.of(ExitSpecs.ofSuccess());
      case "STOPPED" -> Optional.of(ExitSpecs.ofStop(States.STOPPED_CODE));
      default ->
          diagnosis.map(
              result ->
                  ExitSpecs.of(result.diagnosis().exit(), decisiveCode(), result.withoutImage()));
    };
  }

  private Map<String, Object> messages(Object runtime) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("container", null);
    view.put("runtime", runtime);
    view.put("launcher", reasonText().orElse(null));
    return view;
  }

  private static Optional<String> logLines(TaskDiagnosis diagnosis) {
    return Optional.of(diagnosis.diagnosis().lines())
        .filter(lines -> !lines.isEmpty())
        .map(lines -> lines.stream().map(LogLine::text).collect(Collectors.joining("\n")));
  }

  /** Returns the exit code of the task that determined the outcome of the attempt. */
  private int decisiveCode() {
    return attempt.flatMap(Attempt::end).orElseThrow().decisiveCode();
  }

  private Optional<TaskDiagnosis> diagnosis() {
    return attempt.flatMap(Attempt::end).flatMap(AttemptEnd::diagnosis);
  }

  /**
   * Returns the output of the runtime in the older format: the exit codes and the log lines of a
   * failure.
   */
  Optional<Map<String, Object>> runtimeOutput() {
    return diagnosis()
        .filter(_ -> isFinished())
        .map(
            result -> {
              Map<String, Object> view = new LinkedHashMap<>();
              view.put(
                  "exitCode", OpenPaiExits.of(result.diagnosis().exit(), decisiveCode()).code());
              view.put("originUserExitCode", exitCode(exitSpec(diagnosis())));
              view.put("errorLogs", Map.of("user", logLines(result).orElse(""), "platform", ""));
              view.put("name", "app");
              return view;
            });
  }

  /** Returns the messages of the older format, in which the runtime's message is an object. */
  Map<String, Object> messagesWithRuntimeOutput() {
    return isFinished() ? messages(runtimeOutput().orElse(null)) : null;
  }

  /**
   * Returns the roles as maps, because the server counts the list elements of a response before it
   * writes the response, and finds them only in maps and lists.
   */
  static Map<String, Object> fields(Map<String, RoleView> roles) {
    Map<String, Object> fields = new LinkedHashMap<>();
    roles.forEach((name, role) -> fields.put(name, role.fields()));
    return fields;
  }

  /** A role with its tasks. */
  record RoleView(Map<String, String> taskRoleStatus, List<Map<String, Object>> taskStatuses) {
    Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("taskRoleStatus", taskRoleStatus);
      fields.put("taskStatuses", taskStatuses);
      return fields;
    }
  }

  /**
   * Returns the roles with all tasks of the job file; tasks that are not placed yet are shown as
   * waiting, and tasks that will never be placed as stopped.
   */
  Map<String, RoleView> taskRoles() {
    Map<String, Map<Integer, Task>> placed = new HashMap<>();
    tasks.forEach(
        task ->
            placed
                .computeIfAbsent(task.id().role(), _ -> new HashMap<>())
                .put(task.id().index(), task));
    Map<String, Map<Integer, PreviousRun>> previous = new HashMap<>();
    previousRuns.forEach(
        run ->
            previous
                .computeIfAbsent(run.id().role(), _ -> new HashMap<>())
                .put(run.id().index(), run));
    Map<String, String> keys = PaiNames.keys(spec.roles());
    Map<String, RoleView> roles = new LinkedHashMap<>();
    for (RoleSpec role : spec.roles()) {
      String key = keys.get(role.name());
      Map<Integer, Task> placedByIndex = placed.getOrDefault(role.name(), Map.of());
      Map<Integer, PreviousRun> previousByIndex = previous.getOrDefault(role.name(), Map.of());
      TaskView view = new TaskView(job, attempt, key);
      List<Map<String, Object>> statuses = new ArrayList<>();
      for (int index = 0; index < role.taskCount(); index++) {
        Task task = placedByIndex.get(index);
        statuses.add(
            task == null
                ? view.unplaced(role.name(), index)
                : view.status(task, Optional.ofNullable(previousByIndex.get(index))));
      }
      roles.put(key, new RoleView(Map.of("name", key), statuses));
    }
    return roles;
  }
}
