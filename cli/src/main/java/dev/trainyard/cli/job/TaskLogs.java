package dev.trainyard.cli.job;

import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Copies the logs of the tasks of one attempt: a limited number of tasks at a time, and the runs of
 * one task one after the other. Logs that have to wait are copied later from their beginning. Not
 * thread-safe.
 */
final class TaskLogs {
  private final int mostAtOnce;
  private final Copier copier;
  private final ParallelRunner streams = new ParallelRunner();
  private final Map<String, Task> tasks = new LinkedHashMap<>();

  /** Copies one log of one run until it ends. */
  interface Copier {
    void copy(Run run, String stream, String prefix) throws InterruptedException;
  }

  /** One run of a task. */
  record Run(String role, String index, long attempt, long retry) {
    String path(String job, String stream) {
      String query = "?follow=true&attempt=%d&retry=%d".formatted(attempt, retry);
      return JobPath.log(job, role, index, stream) + query;
    }
  }

  private static final class Task {
    private final AtomicInteger open = new AtomicInteger();
    private Run newest;
    private long next;

    boolean isOpen() {
      return open.get() > 0;
    }

    boolean isBehind() {
      return next <= newest.retry();
    }
  }

  /**
   * @param mostAtOnce maximum number of tasks at a time; each has two logs
   */
  TaskLogs(int mostAtOnce, Copier copier) {
    this.mostAtOnce = mostAtOnce;
    this.copier = copier;
  }

  /** Records every run so far, including runs that were too short to be seen. */
  void expect(List<Json> seen, long attempt) {
    for (Json task : seen) {
      Run newest =
          new Run(task.string("role"), task.string("index"), attempt, task.number("retry"));
      tasks.computeIfAbsent(TaskChoice.name(task), name -> new Task()).newest = newest;
    }
  }

  /** Starts as many copies as the limit allows; returns whether any was started. */
  boolean start() {
    List<ParallelRunner.Work> works = new ArrayList<>();
    long open = tasks.values().stream().filter(Task::isOpen).count();
    for (Map.Entry<String, Task> entry : tasks.entrySet()) {
      Task task = entry.getValue();
      if (open >= mostAtOnce) {
        break;
      }
      if (task.isBehind() && !task.isOpen()) {
        works.addAll(works(PlainText.of(entry.getKey()) + " | ", task));
        open++;
      }
    }
    streams.start(works);
    return !works.isEmpty();
  }

  private List<ParallelRunner.Work> works(String prefix, Task task) {
    Run run = new Run(task.newest.role(), task.newest.index(), task.newest.attempt(), task.next++);
    List<ParallelRunner.Work> works = new ArrayList<>();
    for (String stream : List.of("stdout", "stderr")) {
      task.open.incrementAndGet();
      works.add(
          () -> {
            try {
              copier.copy(run, stream, prefix);
            } finally {
              task.open.decrementAndGet();
            }
          });
    }
    return works;
  }

  /** Rethrows a failure, if there is one. */
  void check() throws InterruptedException {
    if (streams.hasFailed()) {
      streams.join();
    }
  }

  /** Copies all recorded runs until they end. */
  void finish() throws InterruptedException {
    while (tasks.values().stream().anyMatch(Task::isBehind)) {
      check();
      if (!start()) {
        Thread.sleep(JobFollower.FIRST_PAUSE_MILLIS);
      }
    }
    streams.join();
  }
}
