package dev.trainyard.cli.job;

import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.model.AppException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Follows a job until it finishes: shows the wait reason, copies the logs, and continues with the
 * next attempt if there is one.
 */
final class JobFollower {
  static final long INITIAL_PAUSE_MILLIS = 20;
  private static final long MAX_PAUSE_MILLIS = 1_000;

  /** Without a terminal, no reason is shown for a job that starts within this time. */
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Maximum number of tasks to follow at a time; it limits the connections of this client. */
  private static final int MAX_PARALLEL_TASKS = 64;

  private final Session session;
  private final String id;
  private final AtomicBoolean hasOutput = new AtomicBoolean();
  private final ReasonReport reasons;
  private final long startNanos = System.nanoTime();
  private boolean limitReported;

  JobFollower(Session session, String id) {
    this.session = session;
    this.id = id;
    this.reasons = new ReasonReport(session);
  }

  /** Returns the job in its final state. */
  Json follow() throws InterruptedException {
    Json job = load();
    for (long attempt = 1; ; attempt++) {
      job = job.number("taskCount") > 1 ? followTasks(attempt, job) : followTask(attempt);
      if (!hasLaterAttempt(attempt, job)) {
        session.terminal().clearStatus();
        return job;
      }
    }
  }

  private static boolean hasLaterAttempt(long attempt, Json job) {
    return job.number("attempt") > attempt;
  }

  private boolean isFinished(long attempt, Json job) {
    return hasLaterAttempt(attempt, job) || new JobText(session.localizer(), job).isFinal();
  }

  /**
   * Returns an object with the tasks of the attempt: the job itself, or the attempt if the job has
   * already started a later attempt.
   */
  private Json loadAttempt(long attempt, Json job) throws InterruptedException {
    return hasLaterAttempt(attempt, job) ? read("/attempts/" + attempt) : job;
  }

  /**
   * Follows every run of the only task of an attempt; requests the log of the first run
   * immediately, before that run exists. Returns the job after it has finished or has started its
   * next attempt.
   */
  private Json followTask(long attempt) throws InterruptedException {
    long retry = 0;
    while (true) {
      TaskLogs.Run run = new TaskLogs.Run("-", "-", attempt, retry);
      ParallelRunner logs = new ParallelRunner();
      logs.start(
          List.of(
              () -> copy(run.path(id, "stdout"), this::writeOut),
              () -> copy(run.path(id, "stderr"), this::writeErr)));
      showProgressUntilOutput(logs);
      logs.join();
      long pause = INITIAL_PAUSE_MILLIS;
      Json job = load();
      while (!isFinished(attempt, job) && newestRetry(job) <= retry) {
        Thread.sleep(pause);
        pause = Math.min(MAX_PAUSE_MILLIS, pause * 2);
        job = load();
        showWaitReason(job);
      }
      if (newestRetry(loadAttempt(attempt, job)) <= retry) {
        return job;
      }
      retry++;
    }
  }

  private static long newestRetry(Json jobOrAttempt) {
    return jobOrAttempt.list("tasks").stream()
        .mapToLong(task -> task.number("retry"))
        .max()
        .orElse(0);
  }

  /** Shows the progress until the job writes output. */
  private void showProgressUntilOutput(ParallelRunner logs) throws InterruptedException {
    for (long pause = 150; !hasOutput.get(); pause = MAX_PAUSE_MILLIS) {
      if (logs.finishesWithin(pause)) {
        return;
      }
      showProgress();
    }
  }

  private void showProgress() {
    try {
      showProgress(readJob());
    } catch (AppException e) {
      // The log streams detect whether the server is permanently unreachable.
      if (!LogCopy.TRANSIENT_ERRORS.contains(e.code())) {
        throw e;
      }
    }
  }

  /** Shows why the job waits or, on a terminal, that it is running. */
  private void showProgress(Json job) {
    if (hasOutput.get()) {
      return;
    }
    if (session.terminal().properties().errIsTerminal()) {
      reasons.show(job);
    } else {
      showWaitReason(job);
    }
  }

  /** Shows why a job waits for its start or its next attempt. */
  private void showWaitReason(Json job) {
    JobText text = new JobText(session.localizer(), job);
    boolean visible =
        session.terminal().properties().errIsTerminal()
            || System.nanoTime() - startNanos >= QUIET_NANOS;
    if (visible && text.isWaiting() && text.reason().isPresent()) {
      reasons.show(job);
    }
  }

  /**
   * Follows every task of an attempt, including tasks that start later or are retried. Returns the
   * job after it has finished or has started its next attempt.
   */
  private Json followTasks(long attempt, Json initialJob) throws InterruptedException {
    TaskLogs logs = new TaskLogs(MAX_PARALLEL_TASKS, this::copyWithPrefix);
    Json job = initialJob;
    long pause = INITIAL_PAUSE_MILLIS;
    while (true) {
      Json jobOrAttempt = loadAttempt(attempt, job);
      logs.addRuns(jobOrAttempt.list("tasks"), attempt);
      if (jobOrAttempt.findLong("tasksNext").isPresent()) {
        int listedCount = jobOrAttempt.list("tasks").size();
        reportOnce(session.localizer().text("cli.run.first-tasks", "n", listedCount, "job", id));
      }
      boolean copiesStarted = logs.start();
      if (isFinished(attempt, job)) {
        logs.finish();
        return job;
      }
      logs.check();
      showProgress(job);
      pause = copiesStarted ? INITIAL_PAUSE_MILLIS : Math.min(MAX_PAUSE_MILLIS, pause * 2);
      Thread.sleep(pause);
      job = load();
    }
  }

  private void reportOnce(String note) {
    if (!limitReported) {
      limitReported = true;
      session.terminal().note(note);
    }
  }

  private void copyWithPrefix(TaskLogs.Run run, String stream, String prefix)
      throws InterruptedException {
    LinePrefix lines =
        new LinePrefix(prefix, stream.equals("stdout") ? this::writeOut : this::writeErr);
    copy(run.path(id, stream), lines);
    lines.flush();
  }

  private void copy(String path, LogCopy.Sink sink) throws InterruptedException {
    ApiClient api = session.api();
    new LogCopy(api, path, sink, LogCopy.RetryPolicy.DEFAULT).copy(0);
  }

  private void writeOut(byte[] bytes, int length) {
    hasOutput.set(true);
    session.terminal().logOut(bytes, length);
  }

  private void writeErr(byte[] bytes, int length) {
    hasOutput.set(true);
    session.terminal().logErr(bytes, length);
  }

  private Json readJob() {
    return session.api().read(JobPath.of(id));
  }

  /** Loads the job; waits if the server is restarting. */
  private Json load() throws InterruptedException {
    return read("");
  }

  private Json read(String subpath) throws InterruptedException {
    return LogCopy.RetryPolicy.DEFAULT.retry(() -> session.api().read(JobPath.of(id) + subpath));
  }
}
