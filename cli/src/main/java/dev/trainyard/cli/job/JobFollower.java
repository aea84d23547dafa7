package dev.trainyard.cli.job;

import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Api;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import dev.trainyard.model.AppException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Stays with a job to its end: says why it waits, copies what it writes, and goes on with the next
 * attempt if there is one.
 */
final class JobFollower {
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;
  private static final int MOST_FOLLOWED_TASKS = 64;

  private final Session session;
  private final String id;
  private final AtomicBoolean wrote = new AtomicBoolean();
  private boolean told;

  JobFollower(Session session, String id) {
    this.session = session;
    this.id = id;
  }

  /** The job in its final state. */
  Json follow() throws InterruptedException {
    long attempt = 0;
    while (true) {
      Json job = load();
      if (job.number("taskCount") > 1) {
        job = followTasks(job);
      } else {
        Together logs = new Together();
        logs.start(singleLogs(attempt));
        watch(logs);
        logs.join();
        attempt++;
        job = settled(attempt);
      }
      if (new JobText(session.words(), job).isFinal()) {
        session.terminal().clearStatus();
        return job;
      }
    }
  }

  /** Shows the progress line as long as the job has written nothing. */
  private void watch(Together logs) throws InterruptedException {
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
      // The log streams find out whether the server is really gone.
      if (!LogCopy.PASSING.contains(e.code())) {
        throw e;
      }
    }
  }

  /** The job once it is over or has gone beyond the attempt that was followed. */
  private Json settled(long attempt) throws InterruptedException {
    for (long pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(LONGEST_PAUSE_MILLIS, pause * 2)) {
      Json job = load();
      if (new JobText(session.words(), job).isFinal() || job.number("attempt") > attempt) {
        return job;
      }
      Thread.sleep(pause);
    }
  }

  /**
   * Every task of an attempt, also those that start later or once more; the job when it is over or
   * has gone on to its next attempt.
   */
  private Json followTasks(Json first) throws InterruptedException {
    long attempt = Math.max(1, first.number("attempt"));
    Together logs = new Together();
    Set<Run> followed = new HashSet<>();
    Json job = first;
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      boolean wentOn = job.number("attempt") > attempt;
      // A short attempt may be over before it was seen.
      Json seen = wentOn ? read("/attempts/" + attempt) : job;
      List<Together.Work> more = logs(seen, followed);
      logs.start(more);
      if (wentOn || new JobText(session.words(), job).isFinal()) {
        logs.join();
        return job;
      }
      if (logs.hasFailed()) {
        logs.join();
      }
      if (!wrote.get() && session.terminal().look().errIsTerminal()) {
        show();
      }
      pause = more.isEmpty() ? Math.min(LONGEST_PAUSE_MILLIS, pause * 2) : FIRST_PAUSE_MILLIS;
      Thread.sleep(pause);
      job = load();
    }
  }

  /** What is followed of a task. */
  private record Run(String role, String index, long attempt, long retry) {}

  private List<Together.Work> singleLogs(long attempt) {
    String query = "?follow=true" + (attempt == 0 ? "" : "&attempt=" + (attempt + 1));
    return List.of(
        () -> copy(JobPath.log(id, "-", "-", "stdout") + query, this::out),
        () -> copy(JobPath.log(id, "-", "-", "stderr") + query, this::err));
  }

  /** The logs of tasks that are new, with the task's name before each line. */
  private List<Together.Work> logs(Json job, Set<Run> followed) {
    List<Together.Work> works = new ArrayList<>();
    for (Json task : job.list("tasks")) {
      Run run =
          new Run(
              task.string("role"),
              task.string("index"),
              Math.max(1, task.number("attempt")),
              task.number("retry"));
      if (followed.contains(run)) {
        continue;
      }
      if (followed.size() == MOST_FOLLOWED_TASKS) {
        tellOnce(session.words().say("cli.run.first-tasks", "n", MOST_FOLLOWED_TASKS, "job", id));
        break;
      }
      followed.add(run);
      String prefix = PlainText.of(TaskChoice.name(task)) + " | ";
      String query = "?follow=true&attempt=%d&retry=%d".formatted(run.attempt(), run.retry());
      for (String stream : List.of("stdout", "stderr")) {
        LogCopy.Sink sink = stream.equals("stdout") ? this::out : this::err;
        String path = JobPath.log(id, run.role(), run.index(), stream) + query;
        works.add(() -> prefixed(prefix, path, sink));
      }
    }
    return works;
  }

  private void tellOnce(String note) {
    if (!told) {
      told = true;
      session.terminal().note(note);
    }
  }

  private void prefixed(String prefix, String path, LogCopy.Sink sink) throws InterruptedException {
    LinePrefix lines = new LinePrefix(prefix, sink);
    copy(path, lines);
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

  /** The job, also where the server is being restarted at this moment. */
  private Json load() throws InterruptedException {
    return read("");
  }

  private Json read(String part) throws InterruptedException {
    return LogCopy.Patience.USUAL.ask(() -> session.api().read(JobPath.of(id) + part));
  }
}
