package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ConnectionErrors;
import dev.trainyard.cli.api.Json;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code logs JOB}: prints the output of a task, each stream to the corresponding output. */
@picocli.CommandLine.Command(name = "logs")
public final class LogsCommand extends Command {
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  @Parameters(paramLabel = "JOB", descriptionKey = "job")
  private String job;

  @Option(names = {"-f", "--follow"})
  private boolean follow;

  @Option(names = "--role", paramLabel = "ROLE")
  private String role;

  @Option(names = "--index", paramLabel = "N")
  private Integer index;

  @Option(names = "--stdout")
  private boolean stdout;

  @Option(names = "--stderr")
  private boolean stderr;

  @Option(names = "--tail", paramLabel = "N")
  private Integer tail;

  @Option(names = "--attempt", paramLabel = "N")
  private Integer attempt;

  @Option(names = "--retry", paramLabel = "N")
  private Integer retry;

  public LogsCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() throws InterruptedException {
    if (session().json()) {
      throw session().wrong("cli.wrong.no-json", "command", "logs");
    }
    if (tail != null && tail < 0) {
      throw session().wrong("cli.wrong.least", "name", "--tail", "least", 0, "value", tail);
    }
    Json found = started();
    if (found.list("tasks").isEmpty()) {
      JobText text = new JobText(words(), found);
      String code = text.isFinal() ? "cli.logs.never-ran" : "cli.logs.not-yet";
      terminal().note(say(code, "job", text.fullName()));
      return text.isFinal() ? ExitCode.FAILED : ExitCode.OK;
    }
    checkAttempt(found);
    TaskChoice task = TaskChoice.among(found, role, index);
    show(task, run(found, task));
    return ExitCode.OK;
  }

  /**
   * Returns the query that selects the run to show. It is determined once, because the job may
   * start another run between two requests, and runs must not be mixed.
   */
  private String run(Json found, TaskChoice task) {
    long newest = Math.max(1, found.number("attempt"));
    long shown = attempt == null ? newest : attempt;
    String query = "?attempt=" + shown;
    if (retry != null) {
      return query + "&retry=" + retry;
    }
    // A finished attempt gets no further runs.
    return shown < newest ? query : query + "&retry=" + newestRetry(found, task, shown);
  }

  private long newestRetry(Json found, TaskChoice task, long shown) {
    return found.list("tasks").stream()
        .filter(task::is)
        .findFirst()
        .map(listed -> listed.number("retry"))
        .orElseGet(() -> lookUpRetry(task, shown));
  }

  private long lookUpRetry(TaskChoice task, long shown) {
    try {
      String runs = JobPath.runs(job, task.role(), task.index()) + "?attempt=" + shown;
      return api().read(runs).list("runs").stream()
          .mapToLong(run -> run.number("retry"))
          .max()
          .orElse(0);
    } catch (AppException e) {
      if (e.code() == ErrorCode.NOT_FOUND) {
        // The task has not started, or does not exist; the server reports the latter.
        return 0;
      }
      throw e;
    }
  }

  /** Loads the job; with {@code --follow}, waits until it has started. */
  private Json started() throws InterruptedException {
    Json found = api().read(JobPath.of(job));
    for (long pause = FIRST_PAUSE_MILLIS;
        follow && found.list("tasks").isEmpty() && !new JobText(words(), found).isFinal();
        pause = Math.min(LONGEST_PAUSE_MILLIS, pause * 2)) {
      JobText text = new JobText(words(), found);
      terminal().status(text.about(text.why(System.currentTimeMillis())));
      Thread.sleep(pause);
      found = LogCopy.Patience.USUAL.ask(() -> api().read(JobPath.of(job)));
    }
    terminal().clearStatus();
    return found;
  }

  private void checkAttempt(Json found) {
    long newest = Math.max(1, found.number("attempt"));
    if (attempt != null && (attempt < 1 || attempt > newest)) {
      throw new AppException(
          ErrorCode.NOT_FOUND,
          Message.of("cli.logs.no-attempt", "job", found.string("name"))
              .with("attempt", attempt)
              .with("n", newest));
    }
  }

  private void show(TaskChoice task, String run) throws InterruptedException {
    LogCopy.Sink out = terminal()::logOut;
    if (stdout != stderr) {
      // A single stream is written to standard output, so that it can be piped.
      copy(task, run, stderr ? "stderr" : "stdout", out);
    } else if (follow) {
      new ParallelRunner()
          .run(
              List.of(
                  () -> copy(task, run, "stdout", out),
                  () -> copy(task, run, "stderr", terminal()::logErr)));
    } else {
      copy(task, run, "stdout", out);
      copy(task, run, "stderr", terminal()::logErr);
    }
  }

  private void copy(TaskChoice task, String run, String stream, LogCopy.Sink sink)
      throws InterruptedException {
    String path = JobPath.log(job, task.role(), task.index(), stream) + run;
    long start = tail == null ? 0 : startOfTail(path);
    String followed = follow ? path + "&follow=true" : path;
    new LogCopy(api(), followed, sink, LogCopy.Patience.USUAL).copy(start);
  }

  private long startOfTail(String path) {
    try {
      return new LogTail(api(), path).startOfLast(tail);
    } catch (IOException e) {
      throw ConnectionErrors.of(api().base(), e);
    }
  }
}
