package dev.trainyard.cli.job;

import dev.trainyard.cli.api.Json;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.util.List;
import java.util.stream.Collectors;

/** Which task of a job is meant by what was typed, or what there is to choose from. */
record TaskChoice(String role, String index) {
  private static final int MOST_NAMED = 10;

  /** How a task is written everywhere: {@code worker-1}. */
  static String name(Json task) {
    return task.string("role") + "-" + task.string("index");
  }

  static TaskChoice among(Json job, String role, Integer index) {
    List<Json> tasks = job.list("tasks");
    if (job.findLong("tasksNext").isPresent() && role != null) {
      // Not all are here; the server says if there is no such task.
      return new TaskChoice(role, String.valueOf(index == null ? 0 : index));
    }
    List<String> roles = tasks.stream().map(task -> task.string("role")).distinct().toList();
    if (role == null && (roles.size() > 1 || (index == null && tasks.size() > 1))) {
      throw refused(ErrorCode.BAD_REQUEST, "cli.logs.which-task", job);
    }
    String wantedRole = role == null ? roles.getFirst() : role;
    String wantedIndex = String.valueOf(index == null ? 0 : index);
    TaskChoice choice = new TaskChoice(wantedRole, wantedIndex);
    if (tasks.stream().noneMatch(choice::is)) {
      AppException refusal = refused(ErrorCode.NOT_FOUND, "cli.logs.no-task", job);
      throw new AppException(
          refusal.code(), refusal.text().with("task", wantedRole + "-" + wantedIndex));
    }
    return choice;
  }

  /** Whether it is this task that the server described. */
  boolean is(Json task) {
    return task.string("role").equals(role) && task.string("index").equals(index);
  }

  private static AppException refused(ErrorCode code, String text, Json job) {
    List<Json> tasks = job.list("tasks");
    String named =
        tasks.stream().limit(MOST_NAMED).map(TaskChoice::name).collect(Collectors.joining(" "));
    long all = job.findLong("tasksNext").isPresent() ? job.number("taskCount") : tasks.size();
    return new AppException(
        code,
        Message.of(text, "job", job.string("name"))
            .with("n", all)
            .with("tasks", tasks.size() > MOST_NAMED ? named + " …" : named));
  }
}
