package dev.trainyard.cli.job;

import dev.trainyard.cli.api.Json;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Resolves the options {@code --role} and {@code --index} to a task of a job, or reports the
 * available tasks.
 */
record TaskChoice(String role, String index) {
  private static final int MAX_LISTED_TASKS = 10;

  /** Returns the name of a task as shown to users, such as {@code worker-1}. */
  static String name(Json task) {
    return task.string("role") + "-" + task.string("index");
  }

  static TaskChoice resolve(Json job, String role, Integer index) {
    List<Json> tasks = job.list("tasks");
    if (job.findLong("tasksNext").isPresent() && role != null) {
      // The list of tasks is incomplete, so the choice is not checked; the server reports an error
      // if the task does not exist.
      return new TaskChoice(role, String.valueOf(index == null ? 0 : index));
    }
    List<String> roles = tasks.stream().map(task -> task.string("role")).distinct().toList();
    if (role == null && (roles.size() > 1 || (index == null && tasks.size() > 1))) {
      throw error(ErrorCode.BAD_REQUEST, "cli.logs.which-task", job);
    }
    String resolvedRole = role == null ? roles.getFirst() : role;
    String resolvedIndex = String.valueOf(index == null ? 0 : index);
    TaskChoice choice = new TaskChoice(resolvedRole, resolvedIndex);
    if (tasks.stream().noneMatch(choice::matches)) {
      AppException notFound = error(ErrorCode.NOT_FOUND, "cli.logs.no-task", job);
      throw new AppException(
          notFound.code(), notFound.text().with("task", resolvedRole + "-" + resolvedIndex));
    }
    return choice;
  }

  /** Returns whether the given task is the chosen one. */
  boolean matches(Json task) {
    return task.string("role").equals(role) && task.string("index").equals(index);
  }

  private static AppException error(ErrorCode code, String text, Json job) {
    List<Json> tasks = job.list("tasks");
    String taskNames =
        tasks.stream()
            .limit(MAX_LISTED_TASKS)
            .map(TaskChoice::name)
            .collect(Collectors.joining(" "));
    long taskCount = job.findLong("tasksNext").isPresent() ? job.number("taskCount") : tasks.size();
    return new AppException(
        code,
        Message.of(text, "job", job.string("name"))
            .with("n", taskCount)
            .with("tasks", tasks.size() > MAX_LISTED_TASKS ? taskNames + " …" : taskNames));
  }
}
