package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ConnectionErrors;
import dev.trainyard.cli.api.Json;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code logs JOB}: prints the logs of a task, its stdout to stdout and its stderr to stderr. */
@picocli.CommandLine.Command(name = "logs")
public final class LogsCommand extends Command {
  private static final long INITIAL_PAUSE_MILLIS = 20;
  private static final long MAX_PAUSE_MILLIS = 1_000;

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
      throw session().usageError("cli.wrong.no-json", "command", "logs");
    }
    if (tail != null && tail < 0) {
      throw session().usageError("cli.wrong.least", "name", "--tail", "least", 0, "value", tail);
    }
    Json jobInfo = loadStartedJob();
    if (jobInfo.list("tasks").isEmpty()) {
      JobText text = new JobText(localizer(), jobInfo);
      String code = text.isFinal() ? "cli.logs.never-ran" : "cli.logs.not-yet";
      terminal().note(text(code, "job", text.fullName()));
      return text.isFinal() ? ExitCode.FAILED : ExitCode.OK;
    }
    checkAttempt(jobInfo);
    TaskChoice task = TaskChoice.resolve(jobInfo, role, index);
    printLogs(task, runQuery(jobInfo, task));
    return ExitCode.OK;
  }

  /**
   * Returns the query that selects the run to show. Determined only once, because the job may start
   * another run between two requests, and the output must come from a single run.
   */
  private String runQuery(Json jobInfo, TaskChoice task) {
    long newestAttempt = Math.max(1, jobInfo.number("attempt"));
    long shownAttempt = attempt == null ? newestAttempt : attempt;
    String query = "?attempt=" + shownAttempt;
    if (retry != null) {
      return query + "&retry=" + retry;
    }
    // A finished attempt gets no further runs.
    return shownAttempt < newestAttempt
        ? query
        : query + "&retry=" + newestRetry(jobInfo, task, shownAttempt);
  }

  private long newestRetry(Json jobInfo, TaskChoice task, long shownAttempt) {
    return jobInfo.list("tasks").stream()
        .filter(task::matches)
        .findFirst()
        .map(listedTask -> listedTask.number("retry"))
        .orElseGet(() -> lookUpRetry(task, shownAttempt));
  }

  private long lookUpRetry(TaskChoice task, long shownAttempt) {
    try {
      String runs = JobPath.runs(job, task.role(), task.index()) + "?attempt=" + shownAttempt;
      return api().read(runs).list("runs").stream()
          .mapToLong(run -> run.number("retry"))
          .max()
          .orElse(0);
    } catch (AppException e) {
      if (e.code() == ErrorCode.NOT_FOUND) {
        // The task has not started or does not exist. If it does not exist, the request for the log
        // reports that.
        return 0;
      }
      throw e;
    }
  }

  /** Loads the job; with {@code --follow}, waits until it has started. */
  private Json loadStartedJob() throws InterruptedException {
    ReasonReport report = new ReasonReport(session());
    Json jobInfo = api().read(JobPath.of(job));
    for (long pause = INITIAL_PAUSE_MILLIS;
        follow && hasNotStarted(jobInfo);
        pause = Math.min(MAX_PAUSE_MILLIS, pause * 2)) {
      report.show(jobInfo);
      Thread.sleep(pause);
      jobInfo = LogCopy.RetryPolicy.DEFAULT.retry(() -> api().read(JobPath.of(job)));
    }
    terminal().clearStatus();
    return jobInfo;
  }

  /** Returns whether no task runs yet; tasks of a waiting job may be listed before they start. */
  private boolean hasNotStarted(Json jobInfo) {
    boolean waits = attempt == null && jobInfo.string("state").equals(JobState.WAITING.name());
    return (waits || jobInfo.list("tasks").isEmpty())
        && !new JobText(localizer(), jobInfo).isFinal();
  }

  private void checkAttempt(Json jobInfo) {
    long newestAttempt = Math.max(1, jobInfo.number("attempt"));
    if (attempt != null && (attempt < 1 || attempt > newestAttempt)) {
      throw new AppException(
          ErrorCode.NOT_FOUND,
          Message.of("cli.logs.no-attempt", "job", jobInfo.string("name"))
              .with("attempt", attempt)
              .with("n", newestAttempt));
    }
  }

  private void printLogs(TaskChoice task, String runQuery) throws InterruptedException {
    LogCopy.Sink out = terminal()::logOut;
    if (stdout != stderr) {
      // A single stream is written to standard output, so that it can be piped.
      copy(task, runQuery, stderr ? "stderr" : "stdout", out);
    } else if (follow) {
      new ParallelRunner()
          .run(
              List.of(
                  () -> copy(task, runQuery, "stdout", out),
                  () -> copy(task, runQuery, "stderr", terminal()::logErr)));
    } else {
      copy(task, runQuery, "stdout", out);
      copy(task, runQuery, "stderr", terminal()::logErr);
    }
  }

  private void copy(TaskChoice task, String runQuery, String stream, LogCopy.Sink sink)
      throws InterruptedException {
    String path = JobPath.log(job, task.role(), task.index(), stream) + runQuery;
    long start = tail == null ? 0 : startOfTail(path);
    String requestPath = follow ? path + "&follow=true" : path;
    new LogCopy(api(), requestPath, sink, LogCopy.RetryPolicy.DEFAULT).copy(start);
  }

  private long startOfTail(String path) {
    try {
      return new LogTail(api(), path).startOfLast(tail);
    } catch (IOException e) {
      throw ConnectionErrors.of(api().base(), e);
    }
  }
}
