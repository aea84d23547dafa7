package dev.trainyard.server.log;

import dev.trainyard.engine.LogStream;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.job.JobChanges;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows growing logs. Each follower waits on its own virtual thread until its log file or its job
 * changes, and at least for the interval that {@link LogFollowers} requires. A periodic check
 * compensates for missed events. Thread-safe.
 */
public final class LogTail implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogTail.class);
  private static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);

  /**
   * Polling interval if the directory does not exist yet, or the kernel has no inotify watch left.
   */
  private static final Duration POLL_INTERVAL = Duration.ofMillis(250);

  private final LogStore store;
  private final JobChanges changes;
  private final Predicate<TaskId> isFinished;
  private final LogFollowers followers = new LogFollowers();
  private final DirectoryWatch watch = new DirectoryWatch();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicBoolean warningLogged = new AtomicBoolean();

  /**
   * @param isFinished returns whether a run of a task has ended or will never start
   */
  public LogTail(LogStore store, JobChanges changes, Predicate<TaskId> isFinished) {
    this.store = store;
    this.changes = changes;
    this.isFinished = isFinished;
  }

  /** Reserves a slot for a follower; rejects the request if the user follows too many logs. */
  LogFollowers.Slot reserve(String userId) {
    return followers.reserve(userId);
  }

  /** Returns the number of followers. */
  int followerCount() {
    return followers.count();
  }

  /**
   * Copies a stream from an offset, including new bytes as soon as they are written. Returns when
   * all output of a finished task is copied, when the limit is reached, or when the client has
   * disconnected.
   */
  void follow(
      LogFollowers.Slot reserved,
      TaskId task,
      LogStream stream,
      long from,
      long limit,
      Reply.Sink sink)
      throws IOException {
    reserved.start();
    try (reserved) {
      new Follower(reserved, task, stream, from, limit, sink).run();
    }
  }

  /** Returns the number of directories that are watched for followers. */
  int watchedDirectoryCount() {
    return watch.watchedDirectoryCount();
  }

  @Override
  public void close() {
    closed.countDown();
    watch.close();
  }

  private final class Follower {
    private final LogFollowers.Slot slot;
    private final TaskId task;
    private final LogStream stream;
    private final long end;
    private final Reply.Sink sink;
    private final Semaphore wake = new Semaphore(0);
    private final AtomicBoolean jobChanged = new AtomicBoolean(true);
    private final Path directory;
    private long position;
    private Optional<DirectoryWatch.Watch> activeWatch = Optional.empty();
    private boolean watchFailed;
    private Duration idleTime = Duration.ZERO;
    private long lastReadNanos;

    Follower(
        LogFollowers.Slot slot,
        TaskId task,
        LogStream stream,
        long from,
        long limit,
        Reply.Sink sink) {
      this.slot = slot;
      this.task = task;
      this.stream = stream;
      this.position = from;
      this.end = limit > Long.MAX_VALUE - from ? Long.MAX_VALUE : from + limit;
      this.sink = sink;
      this.directory = store.directory(task);
    }

    void run() throws IOException {
      Runnable jobListener =
          () -> {
            jobChanged.set(true);
            wake.release();
          };
      try (var _ = changes.subscribe(task.job(), jobListener)) {
        boolean ended = false;
        while (!ended && position < end && !sink.closed()) {
          // Checked before reading, so that everything printed before the end is still read.
          ended = jobChanged.getAndSet(false) && isFinished.test(task);
          lastReadNanos = System.nanoTime();
          position = store.copy(task, stream, position, end, sink);
          if (!ended && !startWatching()) {
            awaitChange();
          }
        }
      } finally {
        activeWatch.ifPresent(DirectoryWatch.Watch::close);
      }
    }

    /**
     * Starts watching. Returns true if the watch is new; the caller must then read the bytes that
     * were written before.
     */
    private boolean startWatching() {
      if (activeWatch.isPresent() || watchFailed || !Files.isDirectory(directory)) {
        return false;
      }
      try {
        activeWatch = Optional.of(watch.watch(directory, wake::release));
        return true;
      } catch (IOException e) {
        watchFailed = true;
        if (warningLogged.compareAndSet(false, true)) {
          LOG.warn("failed to watch a log directory; logs are polled instead", e);
        }
        return false;
      }
    }

    private void awaitChange() throws IOException {
      try {
        Duration interval = activeWatch.isPresent() ? CHECK_INTERVAL : POLL_INTERVAL;
        if (!wake.tryAcquire(interval.toMillis(), TimeUnit.MILLISECONDS)) {
          idleTime = idleTime.plus(interval);
        }
        long elapsed = System.nanoTime() - lastReadNanos;
        // Waits for the rest of the interval; returns early if the server shuts down.
        closed.await(slot.interval().toNanos() - elapsed, TimeUnit.NANOSECONDS);
        wake.drainPermits();
        if (idleTime.compareTo(CHECK_INTERVAL) >= 0) {
          idleTime = Duration.ZERO;
          jobChanged.set(true);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }
}
