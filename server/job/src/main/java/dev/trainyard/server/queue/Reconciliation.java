package dev.trainyard.server.queue;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.TaskObservation;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Node;
import dev.trainyard.model.TaskId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the tasks that should run with the engine's tasks: finds ends that were not reported,
 * lost tasks, and leftover tasks. Only the queue thread calls the methods of this class.
 */
final class Reconciliation {
  private static final Logger LOG = LoggerFactory.getLogger(Reconciliation.class);

  private final Engine engine;
  private final EngineWatch watch;
  private final Executor threads;
  private final Consumer<Runnable> inbox;
  private final Map<JobId, AttemptRun> runs;
  private boolean inProgress;

  /**
   * @param inbox runs an action on the queue thread
   * @param runs the current attempts, by job
   */
  Reconciliation(
      Engine engine,
      EngineWatch watch,
      Executor threads,
      Consumer<Runnable> inbox,
      Map<JobId, AttemptRun> runs) {
    this.engine = engine;
    this.watch = watch;
    this.threads = threads;
    this.inbox = inbox;
    this.runs = runs;
  }

  static Set<TaskId> ids(List<TaskObservation> engineTasks) {
    Set<TaskId> knownTasks = new HashSet<>();
    engineTasks.forEach(observation -> knownTasks.add(observation.id()));
    return knownTasks;
  }

  /**
   * Reads all nodes and tasks of the engine and compares them, in case an observation was missed.
   * Does nothing if a reconciliation is already in progress.
   */
  void begin(Consumer<List<Node>> nodesConsumer) {
    if (inProgress) {
      return;
    }
    inProgress = true;
    // Read before the engine's list, so that a running task that is missing from the list must be
    // lost.
    List<TaskId> running = runs.values().stream().flatMap(run -> run.running().stream()).toList();
    runInBackground(
        () -> {
          try {
            List<Node> nodes = List.copyOf(engine.nodes());
            List<TaskObservation> engineTasks = engine.list();
            inbox.accept(
                () -> {
                  nodesConsumer.accept(nodes);
                  compare(running, engineTasks);
                });
          } finally {
            inbox.accept(() -> inProgress = false);
          }
        });
  }

  /**
   * @param running tasks that must be in the list, because they were running before the list was
   *     read
   */
  void compare(List<TaskId> running, List<TaskObservation> engineTasks) {
    Set<TaskId> knownTasks = ids(engineTasks);
    for (TaskId task : running) {
      AttemptRun run = runs.get(task.job());
      if (!knownTasks.contains(task) && run != null && run.attempt() == task.attempt()) {
        run.recordLoss(task);
      }
    }
    for (TaskObservation observation : engineTasks) {
      AttemptRun run = runs.get(observation.id().job());
      // The queue knows an attempt before the engine knows its tasks, so the attempt of this task
      // has finished.
      if (run == null || observation.id().attempt() < run.attempt()) {
        runInBackground(() -> engine.remove(observation.id()));
      } else {
        observed(observation);
      }
    }
  }

  /** Forwards an observation of a task to its attempt. */
  void observed(TaskObservation observation) {
    AttemptRun run = runs.get(observation.id().job());
    if (run != null && run.attempt() == observation.id().attempt()) {
      run.handleObservation(observation);
    }
  }

  private void runInBackground(Runnable operation) {
    try {
      threads.execute(
          () -> {
            try {
              operation.run();
            } catch (RuntimeException e) {
              if (!watch.isUnavailable() && !watch.checkOutage()) {
                LOG.warn("an engine operation failed; will retry", e);
              }
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("the queue is closed");
    }
  }
}
