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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows growing logs. Each follower sleeps on its own virtual thread until its file or its job
 * changes. A slow periodic check covers missed events. Thread-safe.
 */
public final class LogTail implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogTail.class);
  private static final Duration TICK = Duration.ofSeconds(5);

  /**
   * Polling interval if the directory does not exist yet, or the kernel has no inotify watch left.
   */
  private static final Duration UNWATCHED_TICK = Duration.ofMillis(250);

  private final LogStore store;
  private final JobChanges changes;
  private final Predicate<TaskId> isFinished;
  private final DirectoryWatch watch = new DirectoryWatch();
  private final AtomicBoolean warned = new AtomicBoolean();

  /**
   * @param over returns whether a task has ended for good, or will never run
   */
  public LogTail(LogStore store, JobChanges changes, Predicate<TaskId> over) {
    this.store = store;
    this.changes = changes;
    this.isFinished = over;
  }

  /**
   * Copies a stream from an offset, and new bytes immediately, until the task has finished and
   * everything is copied, the limit is reached, or the client has disconnected.
   */
  public void follow(TaskId task, LogStream stream, long from, long limit, Reply.Sink sink)
      throws IOException {
    new Follower(task, stream, from, limit, sink).run();
  }

  /** Returns the number of directories that are watched for followers. */
  int watched() {
    return watch.watched();
  }

  @Override
  public void close() {
    watch.close();
  }

  private final class Follower {
    private final TaskId task;
    private final LogStream stream;
    private final long end;
    private final Reply.Sink sink;
    private final Semaphore wake = new Semaphore(0);
    private final AtomicBoolean jobChanged = new AtomicBoolean(true);
    private final Path directory;
    private long position;
    private Optional<DirectoryWatch.Watch> watching = Optional.empty();
    private boolean unwatchable;
    private Duration rested = Duration.ZERO;

    Follower(TaskId task, LogStream stream, long from, long limit, Reply.Sink sink) {
      this.task = task;
      this.stream = stream;
      this.position = from;
      this.end = limit > Long.MAX_VALUE - from ? Long.MAX_VALUE : from + limit;
      this.sink = sink;
      this.directory = store.directory(task);
    }

    void run() throws IOException {
      Runnable onJob =
          () -> {
            jobChanged.set(true);
            wake.release();
          };
      try (var _ = changes.subscribe(task.job(), onJob)) {
        boolean ended = false;
        while (!ended && position < end && !sink.closed()) {
          // Checked before reading, so that everything printed before the end is still read.
          ended = jobChanged.getAndSet(false) && isFinished.test(task);
          position = store.copy(task, stream, position, end, sink);
          if (!ended && !startWatching()) {
            awaitChange();
          }
        }
      } finally {
        watching.ifPresent(DirectoryWatch.Watch::close);
      }
    }

    /**
     * Starts watching. Returns true if the watch is new, so that bytes written before it must be
     * read now.
     */
    private boolean startWatching() {
      if (watching.isPresent() || unwatchable || !Files.isDirectory(directory)) {
        return false;
      }
      try {
        watching = Optional.of(watch.watch(directory, wake::release));
        return true;
      } catch (IOException e) {
        unwatchable = true;
        if (warned.compareAndSet(false, true)) {
          LOG.warn("failed to watch a log directory; logs are polled instead", e);
        }
        return false;
      }
    }

    private void awaitChange() throws IOException {
      try {
        Duration tick = watching.isPresent() ? TICK : UNWATCHED_TICK;
        if (!wake.tryAcquire(tick.toMillis(), TimeUnit.MILLISECONDS)) {
          rested = rested.plus(tick);
        }
        wake.drainPermits();
        if (rested.compareTo(TICK) >= 0) {
          rested = Duration.ZERO;
          jobChanged.set(true);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }
}
