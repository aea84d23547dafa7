package dev.trainyard.engine.docker;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends running tasks politely, with a grace. */
final class Stops implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Stops.class);

  /** What the first process does at these is said in {@code init.c}. */
  private static final String ASK = "SIGTERM";

  private static final String KILL_ALL = "SIGUSR2";

  /** What the task has printed before its end may need that long to get to the logs. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(4);

  private static final long PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 500;

  private final Containers containers;
  private volatile boolean closed;

  Stops(Containers containers) {
    this.containers = containers;
  }

  /** Returns at once. The task is marked, and its container runs or has run. */
  void begin(TaskPlace task, long deadline) {
    Thread.ofVirtual()
        .name("stop " + task.id())
        .start(
            () -> {
              try {
                end(task, deadline);
              } catch (IOException | RuntimeException e) {
                // The mark stays, and the next server goes on.
                LOG.error("task {} can't be stopped", task.id(), e);
              }
            });
  }

  private void end(TaskPlace task, long deadline) throws IOException {
    try {
      // A signal that comes before the first process waits for one is lost; this is not.
      Files.createFile(task.forInit("stop"));
    } catch (FileAlreadyExistsException e) {
      LOG.debug("task {} was asked before", task.id());
    }
    if (!containers.signal(task.id(), ASK) || awaitEnd(task, deadline)) {
      return;
    }
    if (!containers.signal(task.id(), KILL_ALL)
        || awaitEnd(task, System.nanoTime() + LAST_WORDS.toNanos())) {
      return;
    }
    containers.signal(task.id(), "SIGKILL");
  }

  /** Whether it is over before the deadline, which may come nearer meanwhile. */
  private boolean awaitEnd(TaskPlace task, long deadline) throws IOException {
    long pause = PAUSE_MILLIS;
    while (!closed) {
      if (containers.stage(task.id()) != Containers.Stage.RUNNING) {
        return true;
      }
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      try {
        Thread.sleep(Math.min(pause, left / 1_000_000 + 1));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return true;
      }
      pause = Math.min(LONGEST_PAUSE_MILLIS, pause * 2);
    }
    return true; // whoever comes next goes on with it
  }

  @Override
  public void close() {
    closed = true;
  }
}
