package dev.trainyard.cli.job;

import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Api;
import dev.trainyard.cli.api.Json;
import dev.trainyard.model.AppException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Follows a job until it finishes: shows the wait reason, copies the logs, and continues with the
 * next attempt if there is one.
 */
final class JobFollower {
  static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  /** Maximum number of tasks to follow at a time, to limit the connections per client. */
  private static final int MOST_AT_ONCE = 64;

  private final Session session;
  private final String id;
  private final AtomicBoolean wrote = new AtomicBoolean();
  private boolean limitReported;

  JobFollower(Session session, String id) {
    this.session = session;
    this.id = id;
  }

  /** Returns the job in its final state. */
  Json follow() throws InterruptedException {
    Json job = load();
    for (long attempt = 1; ; attempt++) {
      job = job.number("taskCount") > 1 ? followTasks(attempt, job) : followTask(attempt);
      if (!wentBeyond(attempt, job)) {
        session.terminal().clearStatus();
        return job;
      }
    }
  }

  private static boolean wentBeyond(long attempt, Json job) {
    return job.number("attempt") > attempt;
  }

  private boolean isFinished(long attempt, Json job) {
    return wentBeyond(attempt, job) || new JobText(session.words(), job).isFinal();
  }

  /** Returns the tasks of an attempt, which may have finished before it was seen. */
  private Json seen(long attempt, Json job) throws InterruptedException {
    return wentBeyond(attempt, job) ? read("/attempts/" + attempt) : job;
  }

  /**
   * Follows every run of the only task of an attempt; requests the first one immediately, before it
   * exists. Returns the job when it has finished or has started its next attempt.
   */
  private Json followTask(long attempt) throws InterruptedException {
    long retry = 0;
    while (true) {
      TaskLogs.Run run = new TaskLogs.Run("-", "-", attempt, retry);
      ParallelRunner logs = new ParallelRunner();
      logs.start(
          List.of(
              () -> copy(run.path(id, "stdout"), this::out),
              () -> copy(run.path(id, "stderr"), this::err)));
      watch(logs);
      logs.join();
      long pause = FIRST_PAUSE_MILLIS;
      Json job = load();
      while (!isFinished(attempt, job) && newestRetry(job) <= retry) {
        Thread.sleep(pause);
        pause = Math.min(LONGEST_PAUSE_MILLIS, pause * 2);
        job = load();
      }
      if (newestRetry(seen(attempt, job)) <= retry) {
        return job;
      }
      retry++;
    }
  }

  private static long newestRetry(Json seen) {
    return seen.list("tasks").stream().mapToLong(task -> task.number("retry")).max().orElse(0);
  }

  /** Shows the progress line until the job writes output. */
  private void watch(ParallelRunner logs) throws InterruptedException {
    if (!session.terminal().look().errIsTerminal()) {
      return;
    }
    for (long pause = 150; !wrote.get(); pause = LONGEST_PAUSE_MILLIS) {
      if (logs.isOverWithin(pause)) {
        return;
      }
      show();
    }
  }

  private void show() {
    try {
      Json job = look();
      JobText text = new JobText(session.words(), job);
      if (!wrote.get()) {
        String sentence = text.why(System.currentTimeMillis());
        session.terminal().status(text.about(sentence));
      }
    } catch (AppException e) {
      // The log streams detect whether the server is permanently unreachable.
      if (!LogCopy.PASSING.contains(e.code())) {
        throw e;
      }
    }
  }

  /**
   * Follows every task of an attempt, including tasks that start later or are retried. Returns the
   * job when it has finished or has started its next attempt.
   */
  private Json followTasks(long attempt, Json first) throws InterruptedException {
    TaskLogs logs = new TaskLogs(MOST_AT_ONCE, this::prefixed);
    Json job = first;
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      Json seen = seen(attempt, job);
      logs.expect(seen.list("tasks"), attempt);
      if (seen.findLong("tasksNext").isPresent()) {
        int listed = seen.list("tasks").size();
        reportOnce(session.words().say("cli.run.first-tasks", "n", listed, "job", id));
      }
      boolean more = logs.start();
      if (isFinished(attempt, job)) {
        logs.finish();
        return job;
      }
      logs.check();
      if (!wrote.get() && session.terminal().look().errIsTerminal()) {
        show();
      }
      pause = more ? FIRST_PAUSE_MILLIS : Math.min(LONGEST_PAUSE_MILLIS, pause * 2);
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

  private void prefixed(TaskLogs.Run run, String stream, String prefix)
      throws InterruptedException {
    LinePrefix lines = new LinePrefix(prefix, stream.equals("stdout") ? this::out : this::err);
    copy(run.path(id, stream), lines);
    lines.flush();
  }

  private void copy(String path, LogCopy.Sink sink) throws InterruptedException {
    Api api = session.api();
    new LogCopy(api, path, sink, LogCopy.Patience.USUAL).copy(0);
  }

  private void out(byte[] bytes, int length) {
    wrote.set(true);
    session.terminal().logOut(bytes, length);
  }

  private void err(byte[] bytes, int length) {
    wrote.set(true);
    session.terminal().logErr(bytes, length);
  }

  private Json look() {
    return session.api().read(JobPath.of(id));
  }

  /** Loads the job; waits if the server is restarting. */
  private Json load() throws InterruptedException {
    return read("");
  }

  private Json read(String part) throws InterruptedException {
    return LogCopy.Patience.USUAL.ask(() -> session.api().read(JobPath.of(id) + part));
  }
}
