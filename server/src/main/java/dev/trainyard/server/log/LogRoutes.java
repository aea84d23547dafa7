package dev.trainyard.server.log;

import dev.trainyard.engine.LogStream;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobService;
import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** {@code /api/v3/jobs/{job}/logs}. */
public final class LogRoutes {
  private static final String ONLY = "-";

  private final JobService jobs;
  private final LogStore store;
  private final LogTail tail;
  private final LogRemovals removals;

  public LogRoutes(JobService jobs, LogStore store, LogTail tail, LogRemovals removals) {
    this.jobs = jobs;
    this.store = store;
    this.tail = tail;
    this.removals = removals;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/jobs/:job/logs/:role/:index/:stream", Access.USER, this::read);
  }

  private Object read(Request request) throws IOException {
    Job job = jobs.load(request.caller(), request.path("job"));
    LogStream stream =
        LogStream.find(request.path("stream"))
            .orElseThrow(() -> notFound("error.no-such-stream", "value", request.path("stream")));
    TaskId task = task(job, request);
    refuseRemoved(job);
    long asked = number(request, "offset").orElse(0L);
    long limit = number(request, "limit").orElse(Long.MAX_VALUE);
    if (limit < 0) {
      throw badNumber("limit", String.valueOf(limit));
    }
    boolean follow = request.query("follow").map(value -> !value.equals("false")).orElse(false);
    long length = store.length(task, stream);
    long from = asked < 0 ? Math.max(0, length + asked) : Math.min(asked, length);
    Reply.Stream body =
        follow
            ? sink -> tail.follow(task, stream, from, limit, sink)
            : sink -> store.copy(task, stream, from, Math.min(length, plus(from, limit)), sink);
    return Reply.of(200, body)
        .with("Content-Type", "application/octet-stream")
        .with("X-Content-Type-Options", "nosniff")
        .with("Cache-Control", "no-store")
        .with("X-Log-Offset", String.valueOf(from));
  }

  /** An empty answer would look like a job that said nothing. */
  private void refuseRemoved(Job job) {
    if (job.state().isFinal()) {
      removals
          .find(job.id())
          .ifPresent(
              removed -> {
                throw new AppException(
                    ErrorCode.GONE,
                    Message.of("error.logs-removed", "name", job.name())
                        .with("day", LocalDate.ofInstant(removed, ZoneOffset.UTC).toString()));
              });
    }
  }

  private static long plus(long from, long limit) {
    return limit > Long.MAX_VALUE - from ? Long.MAX_VALUE : from + limit;
  }

  private TaskId task(Job job, Request request) {
    JobSpec spec = jobs.config(job).spec();
    String roleName = request.path("role");
    String indexText = request.path("index");
    if ((roleName.equals(ONLY) || indexText.equals(ONLY)) && spec.taskCount() > 1) {
      throw new AppException(
          ErrorCode.BAD_REQUEST, Message.of("error.which-task", "tasks", spec.taskCount()));
    }
    String role = roleName.equals(ONLY) ? spec.roles().getFirst().name() : roleName;
    Optional<RoleSpec> found =
        spec.roles().stream().filter(candidate -> candidate.name().equals(role)).findFirst();
    int index = indexText.equals(ONLY) ? 0 : index(indexText);
    int newest = Math.max(1, job.status().attempt());
    long attempt = number(request, "attempt").orElse((long) newest);
    if (found.isEmpty()
        || index < 0
        || index >= found.get().taskCount()
        || attempt < 1
        || attempt > newest) {
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

  private static Optional<Long> number(Request request, String parameter) {
    Optional<String> text = request.query(parameter);
    try {
      return text.map(Long::valueOf);
    } catch (NumberFormatException e) {
      throw badNumber(parameter, text.orElseThrow());
    }
  }

  private static AppException badNumber(String parameter, String value) {
    return new AppException(
        ErrorCode.BAD_REQUEST,
        Message.of("error.bad-query"),
        List.of(Problem.at(parameter, Message.of("error.not-a-number", "value", value))));
  }

  private static AppException notFound(String code, String name, String value) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of(code, name, value));
  }
}
