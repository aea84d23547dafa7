package dev.trainyard.server.work;

import dev.trainyard.engine.linux.MemoryExhaustion;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * A few platform threads for work that uses a processor or a disk for a long time. Requests run on
 * virtual threads, of which only as many run at a time as there are processors; long work would
 * block all of them. The caller waits on its virtual thread, which is cheap.
 *
 * <p>Threads serve the users with queued work round-robin, so a user waits at most for one piece of
 * work of each other user. The number of threads and of queued pieces per user is limited; more are
 * rejected with TOO_MANY_REQUESTS. Queued work of a client that disconnects is dropped; running
 * work stops where it calls {@link Requester#requireCurrent}. Work that waits for a client must not
 * run here: it is divided into pieces, and only these run in the pool. Thread-safe.
 */
public final class WorkPool {
  private static final Logger LOG = LoggerFactory.getLogger(WorkPool.class);
  private static final Duration IDLE = Duration.ofSeconds(10);
  private static final long RETRY_SECONDS = 2;

  /** Whether the current thread belongs to a pool; nested work runs immediately. */
  private static final ScopedValue<Boolean> INSIDE = ScopedValue.newInstance();

  private final int threads;
  private final int share;
  private final int mostQueued;
  private final boolean slow;
  private final Executor executor;
  private final Map<String, Line> lines = new LinkedHashMap<>();
  private int workers;

  /** Work with a result. */
  @FunctionalInterface
  public interface Work<T, X extends Exception> {
    T perform() throws X;
  }

  /** The queue of one user. */
  private static final class Line {
    private final Deque<Piece> queued = new ArrayDeque<>();
    private int running;
  }

  private record Piece(Runnable body, CompletableFuture<?> result) {}

  /**
   * @param name name of the threads
   * @param share number of threads that one user may occupy
   * @param mostQueued number of pieces that one user may have queued
   */
  public WorkPool(String name, int threads, int share, int mostQueued) {
    this(name, threads, share, mostQueued, false);
  }

  /**
   * @param slow whether the work may take long, so that the request gives its turn back
   */
  WorkPool(String name, int threads, int share, int mostQueued, boolean slow) {
    this(
        Thread.ofPlatform().daemon().name(name + " ", 1).factory(),
        threads,
        share,
        mostQueued,
        slow);
  }

  WorkPool(ThreadFactory factory, int threads, int share, int mostQueued) {
    this(factory, threads, share, mostQueued, false);
  }

  private WorkPool(ThreadFactory factory, int threads, int share, int mostQueued, boolean slow) {
    this.slow = slow;
    this.threads = threads;
    this.share = share;
    this.mostQueued = mostQueued;
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            factory);
    pool.allowCoreThreadTimeOut(true);
    this.executor = pool;
  }

  /**
   * Performs work for the current requester and returns its result.
   *
   * @throws WorkCanceledException if the client disconnects before the work has begun
   */
  public <T, X extends Exception> T run(Work<T, X> work) throws X {
    return run(work, mostQueued);
  }

  /** Like {@link #run}, for the next piece of something already begun: it is not rejected. */
  public <T, X extends Exception> T resume(Work<T, X> work) throws X {
    return run(work, Integer.MAX_VALUE);
  }

  @SuppressWarnings("unchecked") // the work throws nothing checked but X
  private <T, X extends Exception> T run(Work<T, X> work, int limit) throws X {
    if (INSIDE.isBound()) {
      return work.perform();
    }
    Requester requester = Requester.current();
    if (slow) {
      requester.endTurn();
    }
    String key = requester.key();
    CompletableFuture<T> result = new CompletableFuture<>();
    Map<String, String> logged = MDC.getCopyOfContextMap();
    Piece piece = new Piece(() -> perform(work, requester, logged, result), result);
    Runnable cancellation = () -> cancel(key, piece);
    enqueue(key, piece, limit);
    requester.onGone(cancellation);
    try {
      return result.handle((value, failure) -> new Outcome<>(value, failure)).join().value();
    } catch (FailedException e) {
      throw (X) e.getCause();
    } finally {
      requester.forget(cancellation);
    }
  }

  private record Outcome<T>(T result, Throwable failure) {
    T value() {
      return switch (failure) {
        case null -> result;
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        default -> throw new FailedException(failure);
      };
    }
  }

  private static final class FailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    FailedException(Throwable cause) {
      super(cause);
    }
  }

  private static <T, X extends Exception> void perform(
      Work<T, X> work,
      Requester requester,
      Map<String, String> logged,
      CompletableFuture<T> result) {
    if (logged != null) {
      MDC.setContextMap(logged);
    }
    try {
      result.complete(
          ScopedValue.where(INSIDE, true)
              .<T, Exception>call(
                  () ->
                      requester.call(
                          () -> {
                            Requester.requireCurrent();
                            return work.perform();
                          })));
    } catch (Exception | Error e) {
      result.completeExceptionally(e);
    } finally {
      MDC.clear();
    }
  }

  private void enqueue(String key, Piece piece, int limit) {
    boolean another;
    synchronized (this) {
      Line line = lines.computeIfAbsent(key, _ -> new Line());
      if (line.queued.size() >= limit) {
        throw new AppException(
            ErrorCode.TOO_MANY_REQUESTS,
            Message.of("error.too-much-work", "most", mostQueued).with("seconds", RETRY_SECONDS));
      }
      line.queued.add(piece);
      another = workers < threads && line.running < share;
      if (another) {
        workers++;
      }
    }
    if (another) {
      startWorker();
    }
  }

  /**
   * Starts a thread. If that fails, the other threads perform the work; if there is none, the work
   * is rejected.
   */
  private void startWorker() {
    try {
      executor.execute(this::work);
    } catch (RuntimeException | Error e) {
      MemoryExhaustion.terminateIfExhausted(e);
      LOG.warn("failed to start a thread: {}", e.toString());
      workerFailed()
          .forEach(
              piece ->
                  piece
                      .result()
                      .completeExceptionally(
                          new AppException(ErrorCode.UNAVAILABLE, Message.of("error.no-threads"))));
    }
  }

  /** Returns the pieces that are rejected because no thread is left to perform them. */
  private synchronized List<Piece> workerFailed() {
    workers--;
    if (workers > 0) {
      return List.of();
    }
    List<Piece> rejected = lines.values().stream().flatMap(line -> line.queued.stream()).toList();
    lines.clear(); // without a worker nothing runs
    return rejected;
  }

  /**
   * Waits for work that is already running, because it uses resources that its caller has opened.
   */
  private void cancel(String key, Piece piece) {
    boolean dropped;
    synchronized (this) {
      Line line = lines.get(key);
      dropped = line != null && line.queued.remove(piece);
      if (dropped) {
        removeIfIdle(key, line);
      }
    }
    if (dropped) {
      piece.result().completeExceptionally(new WorkCanceledException());
    }
  }

  private void work() {
    Taken taken = next(null);
    while (taken != null) {
      taken.piece().body().run();
      taken = next(taken);
    }
  }

  /** A piece that a thread is executing. */
  private record Taken(String key, Line line, Piece piece) {}

  /** Returns null if there is no work that this thread may execute; the thread then ends. */
  private synchronized Taken next(Taken finished) {
    if (finished != null) {
      finished.line().running--;
      removeIfIdle(finished.key(), finished.line());
    }
    for (var entry : lines.entrySet()) {
      Line line = entry.getValue();
      if (line.running < share && !line.queued.isEmpty()) {
        Taken taken = new Taken(entry.getKey(), line, line.queued.poll());
        line.running++;
        lines.remove(taken.key());
        lines.put(taken.key(), line); // now the last one
        return taken;
      }
    }
    workers--;
    return null;
  }

  /** Returns the number of pieces that no thread has started. */
  synchronized int queued() {
    return lines.values().stream().mapToInt(line -> line.queued.size()).sum();
  }

  private void removeIfIdle(String key, Line line) {
    if (line.running == 0 && line.queued.isEmpty()) {
      lines.remove(key, line);
    }
  }
}
