package dev.trainyard.cli.job;

import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Copies the logs of the tasks of an attempt. Copies a limited number of tasks at a time, and the
 * runs of a task one after the other. The logs of the remaining tasks are copied later, from their
 * beginning. Not thread-safe.
 */
final class TaskLogs {
  private final int maxParallelTasks;
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
    private final AtomicInteger openStreams = new AtomicInteger();
    private Run newestRun;
    private long nextRetry;

    boolean isOpen() {
      return openStreams.get() > 0;
    }

    boolean hasPendingRuns() {
      return nextRetry <= newestRun.retry();
    }
  }

  /**
   * @param maxParallelTasks maximum number of tasks at a time; each has two logs
   */
  TaskLogs(int maxParallelTasks, Copier copier) {
    this.maxParallelTasks = maxParallelTasks;
    this.copier = copier;
  }

  /** Adds every run so far, including runs that ended between two requests. */
  void addRuns(List<Json> listedTasks, long attempt) {
    for (Json task : listedTasks) {
      Run newestRun =
          new Run(task.string("role"), task.string("index"), attempt, task.number("retry"));
      tasks.computeIfAbsent(TaskChoice.name(task), name -> new Task()).newestRun = newestRun;
    }
  }

  /** Starts as many copies as the limit allows; returns whether any was started. */
  boolean start() {
    List<ParallelRunner.Task> copyTasks = new ArrayList<>();
    long openTasks = tasks.values().stream().filter(Task::isOpen).count();
    for (Map.Entry<String, Task> entry : tasks.entrySet()) {
      Task task = entry.getValue();
      if (openTasks >= maxParallelTasks) {
        break;
      }
      if (task.hasPendingRuns() && !task.isOpen()) {
        copyTasks.addAll(copyTasks(PlainText.of(entry.getKey()) + " | ", task));
        openTasks++;
      }
    }
    streams.start(copyTasks);
    return !copyTasks.isEmpty();
  }

  private List<ParallelRunner.Task> copyTasks(String prefix, Task task) {
    Run run =
        new Run(
            task.newestRun.role(),
            task.newestRun.index(),
            task.newestRun.attempt(),
            task.nextRetry++);
    List<ParallelRunner.Task> copyTasks = new ArrayList<>();
    for (String stream : List.of("stdout", "stderr")) {
      task.openStreams.incrementAndGet();
      copyTasks.add(
          () -> {
            try {
              copier.copy(run, stream, prefix);
            } finally {
              task.openStreams.decrementAndGet();
            }
          });
    }
    return copyTasks;
  }

  /** Rethrows a failure, if there is one. */
  void check() throws InterruptedException {
    if (streams.hasFailed()) {
      streams.join();
    }
  }

  /** Copies all recorded runs until they end. */
  void finish() throws InterruptedException {
    while (tasks.values().stream().anyMatch(Task::hasPendingRuns)) {
      check();
      if (!start()) {
        Thread.sleep(JobFollower.INITIAL_PAUSE_MILLIS);
      }
    }
    streams.join();
  }
}
