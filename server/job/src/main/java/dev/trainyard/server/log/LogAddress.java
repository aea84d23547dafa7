package dev.trainyard.server.log;

import dev.trainyard.engine.LogStream;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobService;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** The log that a request refers to. */
record LogAddress(TaskId task, LogStream stream) {
  private static final String ONLY_TASK = "-";

  /**
   * Resolves the log of a request. Throws if the caller may not see the log, or if the log does not
   * exist, was removed or is unreadable.
   */
  static LogAddress of(Request request, JobService jobs, LogRemovalStore removals, LogStore store) {
    Job job = jobs.loadVisible(request.caller(), request.path("job"));
    LogStream stream =
        LogStream.find(request.path("stream"))
            .orElseThrow(() -> notFound("error.no-such-stream", "value", request.path("stream")));
    TaskId task = task(job, request, jobs);
    requireNotRemoved(job, removals);
    if (!store.isReadable(task, stream)) {
      throw new AppException(
          ErrorCode.CONFLICT,
          Message.of("error.log-unreadable", "stream", stream.fileName())
              .with("task", task.role() + "-" + task.index()));
    }
    jobs.foreignAudit().recordLogRead(request.caller(), job);
    return new LogAddress(task, stream);
  }

  /**
   * Throws if the logs were removed, because an empty response would suggest that the job printed
   * nothing.
   */
  private static void requireNotRemoved(Job job, LogRemovalStore removals) {
    if (job.state().isFinal()) {
      removals
          .find(job.id())
          .ifPresent(
              removalTime -> {
                throw new AppException(
                    ErrorCode.GONE,
                    Message.of("error.logs-removed", "name", job.name())
                        .with("day", LocalDate.ofInstant(removalTime, ZoneOffset.UTC).toString()));
              });
    }
  }

  private static TaskId task(Job job, Request request, JobService jobs) {
    JobSpec spec = jobs.config(job).spec();
    String roleName = request.path("role");
    String indexText = request.path("index");
    if ((roleName.equals(ONLY_TASK) || indexText.equals(ONLY_TASK)) && spec.taskCount() > 1) {
      throw new AppException(
          ErrorCode.BAD_REQUEST, Message.of("error.which-task", "tasks", spec.taskCount()));
    }
    String role = roleName.equals(ONLY_TASK) ? spec.roles().getFirst().name() : roleName;
    Optional<RoleSpec> roleSpec =
        spec.roles().stream().filter(candidate -> candidate.name().equals(role)).findFirst();
    int index = indexText.equals(ONLY_TASK) ? 0 : index(indexText);
    int newestAttempt = Math.max(1, job.status().attempt());
    long attempt = number(request, "attempt").orElse((long) newestAttempt);
    if (roleSpec.isEmpty()
        || index < 0
        || index >= roleSpec.get().taskCount()
        || attempt < 1
        || attempt > newestAttempt) {
      throw notFound("error.no-such-task", "task", roleName + "-" + indexText);
    }
    TaskId task = jobs.newestRun(new TaskId(job.id(), (int) attempt, role, index));
    long retry = number(request, "retry").orElse((long) task.retry());
    if (retry < 0 || retry > task.retry()) {
      throw notFound("error.no-such-retry", "task", role + "-" + index);
    }
    return new TaskId(job.id(), (int) attempt, role, index, (int) retry);
  }

  private static int index(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  static Optional<Long> number(Request request, String parameter) {
    Optional<String> text = request.query(parameter);
    try {
      return text.map(Long::valueOf);
    } catch (NumberFormatException e) {
      throw badRequest(parameter, Message.of("error.not-a-number", "value", text.orElseThrow()));
    }
  }

  static AppException badRequest(String parameter, Message problem) {
    return new AppException(
        ErrorCode.BAD_REQUEST,
        Message.of("error.bad-query"),
        List.of(Problem.at(parameter, problem)));
  }

  private static AppException notFound(String code, String name, String value) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of(code, name, value));
  }
}
