package dev.trainyard.cli.job;

import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Api;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import java.util.ArrayList;
import java.util.List;
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

  JobFollower(Session session, String id) {
    this.session = session;
    this.id = id;
  }

  /** The job in its final state. */
  Json follow() throws InterruptedException {
    long attempt = 0;
    while (true) {
      Json job = load();
      boolean several = job.number("taskCount") > 1;
      if (several) {
        job = waitForTasks(job);
      }
      Together logs = new Together();
      logs.start(several ? severalLogs(job) : singleLogs(attempt));
      watch(logs);
      logs.join();
      attempt = Math.max(attempt + 1, 1);
      job = settled(attempt);
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
      Json job = load();
      JobText text = new JobText(session.words(), job);
      if (!wrote.get()) {
        String sentence = text.why(System.currentTimeMillis());
        session.terminal().status(text.about(sentence));
      }
    } catch (AppException e) {
      // The log streams find out whether the server is really gone.
      if (e.code() != ErrorCode.UNREACHABLE) {
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

  private Json waitForTasks(Json first) throws InterruptedException {
    Json job = first;
    for (long pause = FIRST_PAUSE_MILLIS;
        job.list("tasks").isEmpty() && !new JobText(session.words(), job).isFinal();
        pause = Math.min(LONGEST_PAUSE_MILLIS, pause * 2)) {
      Thread.sleep(pause);
      show();
      job = load();
    }
    return job;
  }

  private List<Together.Work> singleLogs(long attempt) {
    String query = "?follow=true" + (attempt == 0 ? "" : "&attempt=" + (attempt + 1));
    return List.of(
        () -> copy(JobPath.log(id, "-", "-", "stdout") + query, this::out),
        () -> copy(JobPath.log(id, "-", "-", "stderr") + query, this::err));
  }

  /** Every task's logs with the task's name before each line; the first ones of very many. */
  private List<Together.Work> severalLogs(Json job) {
    List<Together.Work> works = new ArrayList<>();
    List<Json> tasks = job.list("tasks");
    for (Json task : tasks.subList(0, Math.min(tasks.size(), MOST_FOLLOWED_TASKS))) {
      String role = task.string("role");
      String index = task.string("index");
      String prefix = PlainText.of(TaskChoice.name(task)) + " | ";
      String query = "?follow=true&attempt=" + Math.max(1, task.number("attempt"));
      works.add(() -> prefixed(prefix, JobPath.log(id, role, index, "stdout") + query, this::out));
      works.add(() -> prefixed(prefix, JobPath.log(id, role, index, "stderr") + query, this::err));
    }
    if (tasks.size() > MOST_FOLLOWED_TASKS) {
      session
          .terminal()
          .note(session.words().say("cli.run.first-tasks", "n", MOST_FOLLOWED_TASKS, "job", id));
    }
    return works;
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

  private Json load() {
    return session.api().read(JobPath.of(id));
  }
}
