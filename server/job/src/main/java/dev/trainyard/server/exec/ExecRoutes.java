package dev.trainyard.server.exec;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.ExecRequest;
import dev.trainyard.engine.Execution;
import dev.trainyard.engine.TerminalSize;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.http.WebSocketSession;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.job.Task;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** {@code /api/v3/jobs/{job}/tasks/{role}/{index}/exec}. */
public final class ExecRoutes {
  private static final Pattern TASK_INDEX = Pattern.compile("0|[1-9][0-9]{0,8}");
  private static final Pattern TASK_ROLE = Pattern.compile("[A-Za-z0-9._~-]+");
  private static final String ONLY_TASK = "-";

  /** Starts bash if the image has it, otherwise sh, which every image has. */
  private static final List<String> SHELL =
      List.of("sh", "-c", "if command -v bash >/dev/null; then exec bash; else exec sh; fi");

  private final JobService jobs;
  private final Engine engine;
  private final ExecLimiter limiter;

  public ExecRoutes(JobService jobs, Engine engine, ExecLimiter limiter) {
    this.jobs = jobs;
    this.engine = engine;
    this.limiter = limiter;
  }

  public void addTo(Routes routes) {
    routes.addSocket("/api/v3/jobs/:job/tasks/:role/:index/exec", Access.JOBS, this::open);
  }

  private WebSocketSession open(Request request) {
    Caller caller = request.caller();
    Job job = jobs.load(caller, request.path("job"));
    TaskId task = runningTask(job, request.path("role"), request.path("index"));
    ExecRequest command = new ExecRequest(command(request), terminal(request));
    jobs.foreignAudit().recordExec(caller, job, task);
    limiter.acquire(caller.userId());
    boolean started = false;
    try {
      Execution execution = engine.exec(task, command);
      started = true;
      return new ExecSession(execution, () -> limiter.release(caller.userId()));
    } catch (EngineException e) {
      throw new AppException(
          ErrorCode.CONFLICT, Message.of("error.exec-failed", "detail", e.getMessage()));
    } finally {
      if (!started) {
        limiter.release(caller.userId());
      }
    }
  }

  private TaskId runningTask(Job job, String role, String index) {
    if (job.state().isFinal()) {
      throw conflict(Message.of("error.job-is-over", "name", job.name()));
    }
    List<Task> tasks = jobs.details(job).tasks();
    if (tasks.isEmpty()) {
      throw conflict(Message.of("error.exec-waiting", "job", job.name()));
    }
    if ((role.equals(ONLY_TASK) || index.equals(ONLY_TASK)) && job.taskCount() > 1) {
      throw new AppException(
          ErrorCode.BAD_REQUEST, Message.of("error.which-task", "tasks", job.taskCount()));
    }
    Task task =
        tasks.stream()
            .filter(it -> role.equals(ONLY_TASK) || it.id().role().equals(role))
            .filter(it -> index.equals(ONLY_TASK) || String.valueOf(it.id().index()).equals(index))
            .findFirst()
            .or(() -> findFurther(job, role, index))
            .orElseThrow(
                () ->
                    new AppException(
                        ErrorCode.NOT_FOUND,
                        Message.of("error.no-such-task", "task", role + "-" + index)));
    String name = task.id().role() + "-" + task.id().index();
    return switch (task.state()) {
      case RUNNING -> task.id();
      case ASSIGNED, STARTING -> throw conflict(Message.of("error.exec-starting", "task", name));
      case STOPPING -> throw conflict(Message.of("error.exec-stopping", "task", name));
      case ENDED -> throw conflict(Message.of("error.exec-over", "task", name));
    };
  }

  /** Finds a task that is not on the first page of the tasks of a large job. */
  private Optional<Task> findFurther(Job job, String role, String index) {
    return TASK_INDEX.matcher(index).matches() && TASK_ROLE.matcher(role).matches()
        ? jobs.task(job, role, Integer.parseInt(index))
        : Optional.empty();
  }

  private static List<String> command(Request request) {
    List<String> command = request.queries("command");
    if (command.stream().anyMatch(word -> word.indexOf('\0') >= 0)) {
      throw badRequest("command", Message.of("error.exec-nul"));
    }
    return command.isEmpty() ? SHELL : command;
  }

  /**
   * Returns the size of the requested terminal; empty if the request contains neither {@code
   * columns} nor {@code rows}. A value of 0 means that the size is unknown.
   */
  private static Optional<TerminalSize> terminal(Request request) {
    if (request.query("columns").isEmpty() && request.query("rows").isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        ExecSession.size(number(request, "columns"), number(request, "rows"))
            .orElseThrow(() -> badRequest("columns", Message.of("error.exec-size"))));
  }

  private static int number(Request request, String parameter) {
    String text = request.query(parameter).orElse("0");
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw badRequest(parameter, Message.of("error.not-a-number", "value", text));
    }
  }

  private static AppException badRequest(String parameter, Message problem) {
    return new AppException(
        ErrorCode.BAD_REQUEST,
        Message.of("error.bad-query"),
        List.of(Problem.at(parameter, problem)));
  }

  private static AppException conflict(Message reason) {
    return new AppException(ErrorCode.CONFLICT, reason);
  }
}
