package dev.trainyard.server.queue;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.SecretFiles;
import dev.trainyard.engine.TaskStart;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.Task;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a group of tasks of an attempt: all of them or none. Without gang scheduling, a group is a
 * single task. First reserves every task, which may take long but runs no user code, and then
 * starts the tasks, each with the addresses of all tasks. A stop takes effect immediately, even if
 * a reservation hangs.
 */
final class GangLauncher {
  private static final Logger LOG = LoggerFactory.getLogger(GangLauncher.class);

  private final Engine engine;
  private final Executor threads;
  private final CompletableFuture<Void> stop;
  private final Set<TaskId> startedTasks;
  private final Map<TaskId, String> addresses = new ConcurrentHashMap<>();
  private Completion completion = (_, start, _) -> start;

  /**
   * @param stop completed when the attempt must end
   * @param startedTasks receives every task just before the task is started, because the task may
   *     be running from then on
   */
  GangLauncher(
      Engine engine, Executor threads, CompletableFuture<Void> stop, Set<TaskId> startedTasks) {
    this.engine = engine;
    this.threads = threads;
    this.stop = stop;
    this.startedTasks = startedTasks;
  }

  /** Completes the start parameters of a task once all tasks have their addresses. */
  @FunctionalInterface
  interface Completion {
    TaskStart of(Task task, TaskStart start, Map<TaskId, String> addresses);
  }

  /** Sets the completion; must be called before {@link #run}. */
  GangLauncher completedBy(Completion newCompletion) {
    completion = newCompletion;
    return this;
  }

  /** Result of a launch. */
  sealed interface Result {
    record Running(Map<TaskId, String> addresses) implements Result {}

    /**
     * A stop arrived during the launch.
     *
     * @param reservations completed when no reservation is in progress any more
     */
    record Stopped(CompletableFuture<Void> reservations) implements Result {}

    /** The reservation or the start of a task failed. */
    record Failed(TaskId task, ExitReason reason, String detail, Optional<Message> message)
        implements Result {
      static Failed of(TaskId task, EngineException e) {
        ExitReason reason = e.isTransient() ? ExitReason.START_FAILED : ExitReason.START_REFUSED;
        return new Failed(task, reason, e.getMessage(), e.userMessage());
      }

      TaskEnd end(Instant now) {
        return new TaskEnd(AttemptTasks.NEVER_RAN, reason, detail, now, message);
      }
    }
  }

  private static final class FailedException extends RuntimeException {
    private final transient Task task;

    FailedException(Task task, Throwable cause) {
      super(cause);
      this.task = task;
    }
  }

  /**
   * @param tasksToStart the unfinished tasks among {@code all}
   * @param reservation reserves a task and returns its address
   * @param secrets returns the secret files of a task, which only that task receives at its start
   */
  Result run(
      JobSpec spec,
      List<Task> all,
      List<Task> tasksToStart,
      Function<Task, String> reservation,
      Function<Task, SecretFiles> secrets) {
    CompletableFuture<Void> reservations =
        ParallelForEach.begin(
            threads,
            tasksToStart,
            task -> {
              if (!stop.isDone()) {
                addresses.put(task.id(), callFor(task, () -> reservation.apply(task)));
              }
            });
    try {
      CompletableFuture.anyOf(reservations, stop).join();
      if (stop.isDone()) {
        return new Result.Stopped(reservations);
      }
      Peers peers = new Peers(spec, all, addresses);
      ParallelForEach.run(threads, tasksToStart, task -> start(task, peers, secrets));
    } catch (CompletionException e) {
      return stop.isDone() ? new Result.Stopped(reservations) : failed(ParallelForEach.failure(e));
    } catch (FailedException e) {
      return failed(e);
    }
    return stop.isDone() ? new Result.Stopped(reservations) : new Result.Running(addresses);
  }

  private void start(Task task, Peers peers, Function<Task, SecretFiles> secrets) {
    if (!stop.isDone()) {
      startedTasks.add(task.id());
      callFor(
          task,
          () -> {
            TaskStart start = peers.start(task).withSecrets(secrets.apply(task));
            engine.start(task.id(), completion.of(task, start, addresses));
            return "";
          });
    }
  }

  private static String callFor(Task task, java.util.function.Supplier<String> call) {
    try {
      return call.get();
    } catch (RuntimeException | Error e) {
      // Also catches errors, because a job whose launch was abandoned would stay PREPARING.
      throw new FailedException(task, e);
    }
  }

  private static Result failed(RuntimeException failure) {
    if (!(failure instanceof FailedException taskFailure)) {
      throw failure;
    }
    TaskId task = taskFailure.task.id();
    if (taskFailure.getCause() instanceof EngineException e) {
      return Result.Failed.of(task, e);
    }
    return internalError(task, taskFailure.getCause());
  }

  /** Handles an internal error: logs it and reports a start failure that may be retried. */
  static Result.Failed internalError(TaskId task, Throwable cause) {
    LOG.error("failed to start task {}", task, cause);
    return new Result.Failed(
        task, ExitReason.START_FAILED, "internal error; see the server log", Optional.empty());
  }
}
