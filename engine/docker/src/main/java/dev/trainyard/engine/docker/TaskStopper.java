package dev.trainyard.engine.docker;

import dev.trainyard.engine.linux.InodeFallback;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops running tasks with a grace period. */
final class TaskStopper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskStopper.class);

  /**
   * Signal that requests the end of the task; {@code init.c} describes how the first process reacts
   * to signals.
   */
  private static final String TERMINATE = "SIGTERM";

  private static final String KILL_ALL = "SIGUSR2";
  private static final String KILL = "SIGKILL";

  /** Maximum time in which the last output of a task reaches the logs. */
  private static final Duration OUTPUT_TIMEOUT = Duration.ofSeconds(4);

  private static final long PAUSE_MILLIS = 20;
  private static final long MAX_PAUSE_MILLIS = 500;
  private static final long RETRY_MILLIS = 1_000;

  private final Containers containers;
  private volatile boolean closed;

  TaskStopper(Containers containers) {
    this.containers = containers;
  }

  /**
   * Stops a task; returns immediately. The task must be marked as stopped, and its container must
   * have been started.
   */
  void stop(DockerTaskDirectory task, long deadline) {
    Thread.ofVirtual().name("stop " + task.id()).start(() -> stopAndWait(task, deadline));
  }

  /**
   * Stops a task. Retries until the task has ended, because the engine may be unavailable for a
   * while. If the server ends earlier, the mark of the task remains, and the next server process
   * continues the stop.
   */
  private void stopAndWait(DockerTaskDirectory task, long deadline) {
    try {
      // A signal is lost if it arrives before the first process waits for signals, but the file
      // remains.
      Path stop = task.initFile("stop");
      InodeFallback.createOrLink(() -> Files.createFile(stop), stop, task.file("started"));
    } catch (FileAlreadyExistsException e) {
      LOG.debug("task {} already has a stop file", task.id());
    } catch (IOException e) {
      LOG.warn("failed to create the stop file of task {}; using a signal only", task.id(), e);
    }
    boolean signaled = false;
    while (!closed) {
      try {
        if (!signaled && !containers.signal(task.id(), TERMINATE)) {
          return;
        }
        signaled = true;
        if (awaitEnd(task, deadline) || endsAfter(task, KILL_ALL) || endsAfter(task, KILL)) {
          return;
        }
      } catch (RuntimeException e) {
        LOG.warn(
            "failed to stop task {}; will retry: {}", task.id(), DockerProblem.of(e).message());
      }
      if (!pause(RETRY_MILLIS)) {
        return;
      }
    }
  }

  private boolean endsAfter(DockerTaskDirectory task, String signal) {
    return !containers.signal(task.id(), signal)
        || awaitEnd(task, System.nanoTime() + OUTPUT_TIMEOUT.toNanos());
  }

  /** Returns whether the task ends before the deadline, or the engine is closed. */
  private boolean awaitEnd(DockerTaskDirectory task, long deadline) {
    long pause = PAUSE_MILLIS;
    while (!closed) {
      if (containers.stage(task.id()) != Containers.Stage.RUNNING) {
        return true;
      }
      long remainingNanos = deadline - System.nanoTime();
      if (remainingNanos <= 0) {
        return false;
      }
      if (!pause(Math.min(pause, remainingNanos / 1_000_000 + 1))) {
        return true;
      }
      pause = Math.min(MAX_PAUSE_MILLIS, pause * 2);
    }
    return true; // because the next server process continues the stop
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
