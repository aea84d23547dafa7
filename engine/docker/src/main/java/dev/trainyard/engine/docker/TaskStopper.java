package dev.trainyard.engine.docker;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends running tasks politely, with a grace. */
final class TaskStopper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskStopper.class);

  /** What the first process does at these is said in {@code init.c}. */
  private static final String ASK = "SIGTERM";

  private static final String KILL_ALL = "SIGUSR2";
  private static final String KILL = "SIGKILL";

  /** What the task has printed before its end may need that long to get to the logs. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(4);

  private static final long PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 500;
  private static final long RETRY_MILLIS = 1_000;

  private final Containers containers;
  private volatile boolean closed;

  TaskStopper(Containers containers) {
    this.containers = containers;
  }

  /** Returns at once. The task is marked, and its container runs or has run. */
  void begin(DockerTaskDirectory task, long deadline) {
    Thread.ofVirtual().name("stop " + task.id()).start(() -> end(task, deadline));
  }

  /** Until it is over: the engine may be away meanwhile. If the server ends, the mark stays. */
  private void end(DockerTaskDirectory task, long deadline) {
    try {
      // A signal that comes before the first process waits for one is lost; this is not.
      Files.createFile(task.forInit("stop"));
    } catch (FileAlreadyExistsException e) {
      LOG.debug("task {} was asked before", task.id());
    } catch (IOException e) {
      LOG.warn("task {} can be asked to end by a signal only", task.id(), e);
    }
    boolean asked = false;
    while (!closed) {
      try {
        if (!asked && !containers.signal(task.id(), ASK)) {
          return;
        }
        asked = true;
        if (awaitEnd(task, deadline) || isOverAfter(task, KILL_ALL) || isOverAfter(task, KILL)) {
          return;
        }
      } catch (RuntimeException e) {
        LOG.warn("task {} can't be stopped now: {}", task.id(), DockerProblem.of(e).words());
      }
      if (!pause(RETRY_MILLIS)) {
        return;
      }
    }
  }

  private boolean isOverAfter(DockerTaskDirectory task, String signal) {
    return !containers.signal(task.id(), signal)
        || awaitEnd(task, System.nanoTime() + LAST_WORDS.toNanos());
  }

  /** Whether it is over before the deadline, which may come nearer meanwhile. */
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
    return true; // whoever comes next goes on with it
  }

  /** False if nobody is to go on. */
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
