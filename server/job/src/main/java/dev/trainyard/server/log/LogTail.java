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
 * Follows logs while they grow. A follower sleeps on its own (virtual) thread until its file or its
 * job changes. A slow tick makes up for what no event told. Thread-safe.
 */
public final class LogTail implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogTail.class);
  private static final Duration TICK = Duration.ofSeconds(5);

  /** Where there is nothing to watch yet, or no watch left in the kernel, we look often instead. */
  private static final Duration UNWATCHED_TICK = Duration.ofMillis(250);

  private final LogStore store;
  private final JobChanges changes;
  private final Predicate<TaskId> over;
  private final DirectoryWatch watch = new DirectoryWatch();
  private final AtomicBoolean complained = new AtomicBoolean();

  /**
   * @param over whether a task has ended for good, or never will run
   */
  public LogTail(LogStore store, JobChanges changes, Predicate<TaskId> over) {
    this.store = store;
    this.changes = changes;
    this.over = over;
  }

  /**
   * Copies a stream from an offset on, new bytes at once, until the task is over and all is copied,
   * or the limit is reached, or the client has gone.
   */
  public void follow(TaskId task, LogStream stream, long from, long limit, Reply.Sink sink)
      throws IOException {
    new Follower(task, stream, from, limit, sink).run();
  }

  /** How many directories are watched for followers. */
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
          // Asked before reading: whatever was printed before the end is then still read.
          ended = jobChanged.getAndSet(false) && over.test(task);
          position = store.copy(task, stream, position, end, sink);
          if (!ended && !beganToWatch()) {
            rest();
          }
        }
      } finally {
        watching.ifPresent(DirectoryWatch.Watch::close);
      }
    }

    /** True if the watch is new, so that what came before it must be read now. */
    private boolean beganToWatch() {
      if (watching.isPresent() || unwatchable || !Files.isDirectory(directory)) {
        return false;
      }
      try {
        watching = Optional.of(watch.watch(directory, wake::release));
        return true;
      } catch (IOException e) {
        unwatchable = true;
        if (complained.compareAndSet(false, true)) {
          LOG.warn("logs can't be watched, so they are looked at often", e);
        }
        return false;
      }
    }

    private void rest() throws IOException {
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
