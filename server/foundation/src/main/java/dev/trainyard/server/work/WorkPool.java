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
 * virtual threads, of which only as many run at a time as there are processors. Therefore work that
 * takes long would block all requests there. A caller waits on its virtual thread, which costs
 * little.
 *
 * <p>The threads serve the users with queued work round-robin, so a user waits for at most one
 * piece of work of each other user. The numbers of threads and of queued pieces per user are
 * limited; further pieces are rejected with TOO_MANY_REQUESTS. If a client disconnects, its queued
 * work is dropped, and its running work stops where it calls {@link Requester#requireCurrent}. Work
 * in a pool must not wait for a client; such work must be divided, so that only the pieces that do
 * not wait run in the pool. Thread-safe.
 */
public final class WorkPool {
  private static final Logger LOG = LoggerFactory.getLogger(WorkPool.class);
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(10);
  private static final long RETRY_SECONDS = 2;

  /** Bound if the current thread belongs to a pool; work started there runs on the same thread. */
  private static final ScopedValue<Boolean> IN_POOL = ScopedValue.newInstance();

  private final int maxThreads;
  private final int maxThreadsPerUser;
  private final int maxQueued;
  private final boolean slow;
  private final Executor executor;
  private final Map<String, UserQueue> queues = new LinkedHashMap<>();
  private int workers;

  /** Work with a result. */
  @FunctionalInterface
  public interface Work<T, X extends Exception> {
    T perform() throws X;
  }

  /** The queue of one user. */
  private static final class UserQueue {
    private final Deque<Piece> queued = new ArrayDeque<>();
    private int running;
  }

  private record Piece(Runnable body, CompletableFuture<?> result) {}

  /**
   * @param name name of the threads
   * @param maxThreadsPerUser number of threads that one user may occupy
   * @param maxQueued number of pieces that one user may have queued
   */
  public WorkPool(String name, int maxThreads, int maxThreadsPerUser, int maxQueued) {
    this(name, maxThreads, maxThreadsPerUser, maxQueued, false);
  }

  /**
   * @param slow whether the work may take long; if so, the turn of the request ends before the work
   *     begins
   */
  WorkPool(String name, int maxThreads, int maxThreadsPerUser, int maxQueued, boolean slow) {
    this(
        Thread.ofPlatform().daemon().name(name + " ", 1).factory(),
        maxThreads,
        maxThreadsPerUser,
        maxQueued,
        slow);
  }

  WorkPool(ThreadFactory factory, int maxThreads, int maxThreadsPerUser, int maxQueued) {
    this(factory, maxThreads, maxThreadsPerUser, maxQueued, false);
  }

  private WorkPool(
      ThreadFactory factory, int maxThreads, int maxThreadsPerUser, int maxQueued, boolean slow) {
    this.slow = slow;
    this.maxThreads = maxThreads;
    this.maxThreadsPerUser = maxThreadsPerUser;
    this.maxQueued = maxQueued;
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            maxThreads,
            maxThreads,
            IDLE_TIMEOUT.toMillis(),
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
    return run(work, maxQueued);
  }

  /**
   * Like {@link #run}, but never rejects the work; for the next piece of work that has already
   * begun.
   */
  public <T, X extends Exception> T resume(Work<T, X> work) throws X {
    return run(work, Integer.MAX_VALUE);
  }

  @SuppressWarnings("unchecked") // X is the only checked exception that the work can throw
  private <T, X extends Exception> T run(Work<T, X> work, int limit) throws X {
    if (IN_POOL.isBound()) {
      return work.perform();
    }
    Requester requester = Requester.current();
    if (slow) {
      requester.endTurn();
    }
    StartedWork<T> started = start(requester, work, limit);
    try {
      return started.await();
    } catch (FailedException e) {
      throw (X) e.getCause();
    }
  }

  /**
   * Starts work for the current requester on a thread of this pool, even if the current thread
   * belongs to another pool. The work is never rejected. The caller must await the work, and this
   * pool must not perform work that waits for the caller.
   */
  public <T> StartedWork<T> start(Work<T, RuntimeException> work) {
    return start(Requester.current(), work, Integer.MAX_VALUE);
  }

  private <T, X extends Exception> StartedWork<T> start(
      Requester requester, Work<T, X> work, int limit) {
    String key = requester.key();
    CompletableFuture<T> result = new CompletableFuture<>();
    Map<String, String> logContext = MDC.getCopyOfContextMap();
    Piece piece = new Piece(() -> perform(work, requester, logContext, result), result);
    Runnable cancellation = () -> cancel(key, piece);
    enqueue(key, piece, limit);
    requester.onEnd(cancellation);
    return new StartedWork<>(result, () -> requester.forget(cancellation), cancellation);
  }

  /** Work that was started. The caller must call {@link #await} or {@link #cancel}. */
  public static final class StartedWork<T> {
    private final CompletableFuture<T> result;
    private final Runnable forget;
    private final Runnable cancellation;

    private StartedWork(CompletableFuture<T> result, Runnable forget, Runnable cancellation) {
      this.result = result;
      this.forget = forget;
      this.cancellation = cancellation;
    }

    /**
     * Waits for the work and returns its result.
     *
     * @throws WorkCanceledException if the client disconnected before the work has begun
     */
    public T await() {
      try {
        return result.handle((value, failure) -> new Outcome<>(value, failure)).join().value();
      } finally {
        forget.run();
      }
    }

    /** Drops the work, unless a thread has begun it. */
    public void cancel() {
      cancellation.run();
      forget.run();
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
      Map<String, String> logContext,
      CompletableFuture<T> result) {
    if (logContext != null) {
      MDC.setContextMap(logContext);
    }
    try {
      result.complete(
          ScopedValue.where(IN_POOL, true)
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
    boolean startAnother;
    synchronized (this) {
      UserQueue userQueue = queues.computeIfAbsent(key, _ -> new UserQueue());
      if (userQueue.queued.size() >= limit) {
        throw new AppException(
            ErrorCode.TOO_MANY_REQUESTS,
            Message.of("error.too-much-work", "most", maxQueued).with("seconds", RETRY_SECONDS));
      }
      userQueue.queued.add(piece);
      startAnother = workers < maxThreads && userQueue.running < maxThreadsPerUser;
      if (startAnother) {
        workers++;
      }
    }
    if (startAnother) {
      startWorker();
    }
  }

  /**
   * Starts a thread. If this fails, the other threads perform the work; without any other thread,
   * all queued work is rejected.
   */
  private void startWorker() {
    try {
      executor.execute(this::runWorker);
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

  /**
   * Returns the pieces to reject because no thread can perform them; empty if other threads can.
   */
  private synchronized List<Piece> workerFailed() {
    workers--;
    if (workers > 0) {
      return List.of();
    }
    List<Piece> rejected =
        queues.values().stream().flatMap(userQueue -> userQueue.queued.stream()).toList();
    queues.clear(); // without a worker, no piece is running
    return rejected;
  }

  /**
   * Drops queued work. Work that is already running is not canceled; its caller waits for its end,
   * because the work uses resources that the caller has opened.
   */
  private void cancel(String key, Piece piece) {
    boolean removed;
    synchronized (this) {
      UserQueue userQueue = queues.get(key);
      removed = userQueue != null && userQueue.queued.remove(piece);
      if (removed) {
        removeIfIdle(key, userQueue);
      }
    }
    if (removed) {
      piece.result().completeExceptionally(new WorkCanceledException());
    }
  }

  private void runWorker() {
    RunningPiece runningPiece = next(null);
    while (runningPiece != null) {
      runningPiece.piece().body().run();
      runningPiece = next(runningPiece);
    }
  }

  /** A piece that a thread is executing. */
  private record RunningPiece(String key, UserQueue userQueue, Piece piece) {}

  /**
   * Returns the next piece for this thread. If there is no piece that the thread may execute,
   * returns null, and the thread must end.
   */
  private synchronized RunningPiece next(RunningPiece finished) {
    if (finished != null) {
      finished.userQueue().running--;
      removeIfIdle(finished.key(), finished.userQueue());
    }
    for (var entry : queues.entrySet()) {
      UserQueue userQueue = entry.getValue();
      if (userQueue.running < maxThreadsPerUser && !userQueue.queued.isEmpty()) {
        RunningPiece runningPiece =
            new RunningPiece(entry.getKey(), userQueue, userQueue.queued.poll());
        userQueue.running++;
        queues.remove(runningPiece.key());
        queues.put(runningPiece.key(), userQueue); // moves the user to the end
        return runningPiece;
      }
    }
    workers--;
    return null;
  }

  /** Returns the number of pieces that no thread has begun. */
  synchronized int queued() {
    return queues.values().stream().mapToInt(userQueue -> userQueue.queued.size()).sum();
  }

  private void removeIfIdle(String key, UserQueue userQueue) {
    if (userQueue.running == 0 && userQueue.queued.isEmpty()) {
      queues.remove(key, userQueue);
    }
  }
}
