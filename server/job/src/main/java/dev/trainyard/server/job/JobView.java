package dev.trainyard.server.job;

import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.model.TaskState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** API representation of jobs; docs/api.md documents the fields. */
public final class JobView {
  private static final int MAX_ROLES = 500;

  private JobView() {}

  public static Map<String, Object> job(Job job, JobExplanation explanation) {
    Map<String, Object> view = job(job, explanation.reason());
    view.put("neverFits", explanation.isUnschedulable(job));
    view.put("failure", explanation.failure().map(JobView::message).orElse(null));
    return view;
  }

  /** Returns the fields that can be filled without reading another table. */
  static Map<String, Object> job(Job job, Optional<Message> reason) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", job.id().value());
    view.put("name", job.name());
    view.put("user", job.userName());
    view.put("state", job.state());
    putReason(view, reason);
    view.put("exitCode", number(job.status().exitCode()));
    view.put("attempt", job.status().attempt());
    view.put("format", job.format().label());
    view.put("image", job.image());
    view.put("virtualCluster", job.virtualCluster());
    view.put("priority", job.priority().isEmpty() ? null : job.priority());
    view.put("cpus", job.cpus());
    view.put("memoryMB", job.memory().megabytes());
    view.put("devices", job.devices());
    view.put("taskCount", job.taskCount());
    view.put("submitted", job.submitted().toEpochMilli());
    view.put("started", millis(job.status().started()));
    view.put("ended", millis(job.status().ended()));
    view.put("stopCause", job.status().stopCause().orElse(null));
    view.put("stoppedBy", job.status().stoppedBy().orElse(null));
    view.put("retries", job.status().retries().past().counted());
    return view;
  }

  static Map<String, Object> job(Job job, JobExplanation explanation, JobService.Details details) {
    Map<String, Object> view = job(job, explanation);
    view.put("notices", details.notices().stream().map(JobView::message).toList());
    putTasks(view, details.tasks(), details.moreTasks());
    view.put("taskStates", taskStates(details.taskStates()));
    view.put("isolation", details.isolation().map(IsolationView::of).orElse(null));
    view.put("diagnosis", details.newestEnd().flatMap(DiagnosisView::of).orElse(null));
    view.put("attempts", details.attempts().stream().map(JobView::attempt).toList());
    return view;
  }

  static Map<String, Object> attempts(List<Attempt> attempts, boolean more) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("attempts", attempts.stream().map(JobView::attempt).toList());
    if (more) {
      view.put("next", attempts.getLast().number());
    }
    return view;
  }

  static Map<String, Object> attempt(JobService.AttemptDetails details) {
    Map<String, Object> view = attempt(details.attempt());
    putTasks(view, details.tasks(), details.moreTasks());
    return view;
  }

  static Map<String, Object> tasks(TaskPages.Page page) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("tasks", page.tasks().stream().map(JobView::task).toList());
    page.next().ifPresent(next -> view.put("next", next));
    return view;
  }

  private static void putTasks(Map<String, Object> view, List<Task> tasks, OptionalInt next) {
    view.put("tasks", tasks.stream().map(JobView::task).toList());
    next.ifPresent(offset -> view.put("tasksNext", offset));
  }

  /** Returns the number of tasks in each state, for a limited number of roles. */
  private static Map<String, Object> taskStates(Map<String, Map<TaskState, Integer>> counts) {
    Map<String, Object> view = new LinkedHashMap<>();
    counts.entrySet().stream()
        .limit(MAX_ROLES)
        .forEach(role -> view.put(role.getKey(), role.getValue()));
    return view;
  }

  private static Map<String, Object> attempt(Attempt attempt) {
    Optional<AttemptEnd> end = attempt.end();
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("number", attempt.number());
    view.put("cause", attempt.cause());
    view.put("created", attempt.created().toEpochMilli());
    view.put("started", millis(attempt.started()));
    view.put("ended", millis(attempt.ended()));
    view.put("succeeded", end.map(AttemptEnd::succeeded).orElse(null));
    view.put("exitCode", end.map(AttemptEnd::exitCode).map(JobView::number).orElse(null));
    putReason(view, end.flatMap(AttemptEnd::reason));
    view.put("diagnosis", end.flatMap(DiagnosisView::of).orElse(null));
    view.put("stopCause", attempt.stopCause().orElse(null));
    view.put("stoppedBy", attempt.stoppedBy().orElse(null));
    return view;
  }

  private static Integer number(OptionalInt number) {
    return number.isPresent() ? number.getAsInt() : null;
  }

  public static Map<String, Object> submission(JobService.Submission submission) {
    Job job = submission.job();
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", job.id().value());
    view.put("name", job.name());
    view.put("user", job.userName());
    view.put("state", job.state());
    putReason(view, submission.neverFits());
    view.put("warnings", submission.warnings().stream().map(JobView::problem).toList());
    view.put("neverFits", submission.neverFits().isPresent());
    return view;
  }

  static Map<String, Object> page(JobService.Page page, List<JobExplanation> explanations) {
    Map<String, Object> view = new LinkedHashMap<>();
    List<Map<String, Object>> items = new ArrayList<>();
    for (int i = 0; i < page.jobs().size(); i++) {
      items.add(job(page.jobs().get(i), explanations.get(i)));
    }
    view.put("jobs", items);
    if (page.more()) {
      view.put("next", page.jobs().getLast().id().value());
    }
    return view;
  }

  /** Returns a page of a search. */
  static Map<String, Object> searchPage(
      JobLists.FoundJobs<Job> page, List<JobExplanation> explanations) {
    List<Map<String, Object>> items = new ArrayList<>();
    for (int i = 0; i < page.jobs().size(); i++) {
      Job job = page.jobs().get(i);
      Map<String, Object> item = job(job, explanations.get(i));
      item.put("tags", page.tags().getOrDefault(job.id(), List.of()));
      items.add(item);
    }
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("jobs", items);
    page.total().ifPresent(total -> view.put("total", total));
    return view;
  }

  static void putReason(Map<String, Object> view, Optional<Message> reason) {
    view.put("reason", reason.map(Message::english).orElse(null));
    view.put("reasonCode", reason.map(Message::code).orElse(null));
    view.put("reasonParams", reason.map(Message::params).orElse(null));
  }

  static Map<String, Object> message(Message message) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("code", message.code());
    view.put("message", message.english());
    view.put("params", message.params());
    return view;
  }

  static Map<String, Object> problem(Problem problem) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("path", problem.path());
    view.put("message", problem.message().english());
    view.put("code", problem.message().code());
    view.put("params", problem.message().params());
    view.put("line", problem.line());
    view.put("column", problem.column());
    return view;
  }

  static Map<String, Object> task(Task task) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("role", task.id().role());
    view.put("index", task.id().index());
    view.put("attempt", task.id().attempt());
    view.put("retry", task.id().retry());
    view.put("state", task.state());
    view.put("exitCode", task.end().map(end -> end.exitCode()).orElse(null));
    view.put("exitReason", task.end().map(end -> end.reason()).orElse(null));
    view.put(
        "detail",
        task.end().map(end -> end.detail()).filter(detail -> !detail.isEmpty()).orElse(null));
    view.put("node", task.node());
    view.put("engine", task.engine());
    view.put("devices", task.devices());
    view.put("address", task.address().orElse(null));
    view.put("ports", task.ports().byLabel());
    view.put("started", millis(task.started()));
    view.put("ended", millis(task.end().map(end -> end.at())));
    return view;
  }

  private static Long millis(Optional<Instant> time) {
    return time.map(Instant::toEpochMilli).orElse(null);
  }
}
