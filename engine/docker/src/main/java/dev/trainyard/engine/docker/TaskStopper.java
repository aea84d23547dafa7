package dev.trainyard.engine.docker;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops running tasks with a grace period. */
final class TaskStopper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskStopper.class);

  /** The reaction of the first process to these signals is described in {@code init.c}. */
  private static final String ASK = "SIGTERM";

  private static final String KILL_ALL = "SIGUSR2";
  private static final String KILL = "SIGKILL";

  /** Maximum time for the last output of a task to reach the logs. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(4);

  private static final long PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 500;
  private static final long RETRY_MILLIS = 1_000;

  private final Containers containers;
  private volatile boolean closed;

  TaskStopper(Containers containers) {
    this.containers = containers;
  }

  /**
   * Stops a task; returns immediately. The task is marked as stopped, and its container is running
   * or has been running.
   */
  void begin(DockerTaskDirectory task, long deadline) {
    Thread.ofVirtual().name("stop " + task.id()).start(() -> end(task, deadline));
  }

  /**
   * Retries until the task has ended, because the engine may be unavailable for a while. If the
   * server ends, the mark is kept.
   */
  private void end(DockerTaskDirectory task, long deadline) {
    try {
      // A signal is lost if it arrives before the first process waits for signals; this file is
      // not.
      Files.createFile(task.forInit("stop"));
    } catch (FileAlreadyExistsException e) {
      LOG.debug("task {} was asked to stop before", task.id());
    } catch (IOException e) {
      LOG.warn("failed to create the stop file of task {}; using a signal only", task.id(), e);
    }
    boolean asked = false;
    while (!closed) {
      try {
        if (!asked && !containers.signal(task.id(), ASK)) {
          return;
        }
        asked = true;
        if (awaitEnd(task, deadline) || endsAfter(task, KILL_ALL) || endsAfter(task, KILL)) {
          return;
        }
      } catch (RuntimeException e) {
        LOG.warn("failed to stop task {}; will retry: {}", task.id(), DockerProblem.of(e).words());
      }
      if (!pause(RETRY_MILLIS)) {
        return;
      }
    }
  }

  private boolean endsAfter(DockerTaskDirectory task, String signal) {
    return !containers.signal(task.id(), signal)
        || awaitEnd(task, System.nanoTime() + LAST_WORDS.toNanos());
  }

  /** Returns whether the task ends before the deadline, or the engine is closed. */
  private boolean awaitEnd(DockerTaskDirectory task, long deadline) {
    long pause = PAUSE_MILLIS;
    while (!closed) {
      if (containers.stage(task.id()) != Containers.Stage.RUNNING) {
        return true;
      }
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      if (!pause(Math.min(pause, left / 1_000_000 + 1))) {
        return true;
      }
      pause = Math.min(LONGEST_PAUSE_MILLIS, pause * 2);
    }
    return true; // the next server process continues the stop
  }

  /** Returns false if the thread was interrupted. */
  private static boolean pause(long millis) {
    try {
      Thread.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
