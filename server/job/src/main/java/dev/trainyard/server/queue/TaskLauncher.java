package dev.trainyard.server.queue;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.SecretFiles;
import dev.trainyard.model.Capability;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobConfig;
import dev.trainyard.server.job.Task;
import dev.trainyard.server.plugin.PluginStart;
import dev.trainyard.server.user.User;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;

/**
 * Starts placed tasks: the tasks of a gang together, others independently, so that a task that
 * fails to start does not affect the others.
 *
 * @param stop completed when the attempt is to end
 * @param begun receives every task just before it is started, because from then on it may be
 *     running
 */
record TaskLauncher(QueueContext queue, Job job, CompletableFuture<Void> stop, Set<TaskId> begun) {

  /**
   * Result of a launch.
   *
   * @param addresses of the running tasks
   * @param failed tasks that failed to be reserved or started
   * @param underWay completed when no reservation that was interrupted by a stop is in progress any
   *     more
   */
  record Outcome(
      Map<TaskId, String> addresses,
      List<GangLauncher.Result.Failed> failed,
      CompletableFuture<Void> underWay) {

    private static Outcome of(Collection<GangLauncher.Result> results) {
      Map<TaskId, String> addresses = new HashMap<>();
      List<GangLauncher.Result.Failed> failed = new ArrayList<>();
      CompletableFuture<Void> underWay = CompletableFuture.completedFuture(null);
      for (GangLauncher.Result result : results) {
        switch (result) {
          case GangLauncher.Result.Running(Map<TaskId, String> running) ->
              addresses.putAll(running);
          case GangLauncher.Result.Failed failure -> failed.add(failure);
          case GangLauncher.Result.Stopped(CompletableFuture<Void> reserving) ->
              underWay = CompletableFuture.allOf(underWay, reserving);
        }
      }
      return new Outcome(addresses, failed, underWay);
    }
  }

  /**
   * @param all tasks of the attempt that are placed
   * @param left the tasks among them to start
   */
  Outcome run(JobConfig config, List<Task> all, List<Task> left) {
    boolean gang = config.spec().extras().gangAllocation();
    Optional<User> owner = queue.retryingDb().get(() -> queue.services().owners().apply(job));
    if (owner.isEmpty()) {
      return refused(left, "the owner of the job no longer exists");
    }
    List<Capability> missing =
        queue
            .retryingDb()
            .get(() -> queue.services().missingCapabilities().apply(owner.get(), config.spec()));
    if (!missing.isEmpty()) {
      return refused(left, "the owner no longer has the capabilities " + Capability.names(missing));
    }
    try {
      var storages =
          queue.retryingDb().get(() -> queue.services().sharedStorages().apply(job.id()));
      TaskSecrets secrets = TaskSecrets.of(job, queue.services().secrets(), queue.retryingDb());
      UnaryOperator<String> images = images(config, owner.get(), left, secrets);
      if (stop.isDone()) {
        return Outcome.of(List.of()); // nothing was started
      }
      TaskSpecs.OfJob specs = queue.specs().of(job, config, owner.get(), storages, images);
      PluginStart plugins =
          new PluginStart(job.id(), config.spec(), all, queue.services().keys(), secrets::resolve);
      Queue<GangLauncher.Result> results = new ConcurrentLinkedQueue<>();
      List<List<Task>> groups = gang ? List.of(left) : left.stream().map(List::of).toList();
      ParallelForEach.run(
          queue.threads(),
          groups,
          group ->
              results.add(
                  new GangLauncher(queue.engine(), queue.threads(), stop, begun)
                      .completedBy(plugins::complete)
                      .run(
                          config.spec(),
                          gang ? all : group,
                          group,
                          task -> queue.engine().reserve(queue.spec(specs, task)),
                          task ->
                              secrets.isEmpty()
                                  ? SecretFiles.NONE
                                  : secrets.of(queue.spec(specs, task)))));
      return unlessUnavailable(left, Outcome.of(results));
    } catch (EngineException e) {
      return unlessUnavailable(
          left,
          failed(
              left,
              e.isTransient() ? ExitReason.START_FAILED : ExitReason.START_REFUSED,
              e.getMessage()));
    } catch (RuntimeException e) {
      queue.retryingDb().stopIfClosed(e);
      return internalError(left, e);
    } catch (Error e) {
      return internalError(left, e);
    }
  }

  private Outcome internalError(List<Task> left, Throwable cause) {
    GangLauncher.Result.Failed first = GangLauncher.internalError(left.getFirst().id(), cause);
    return unlessUnavailable(left, failed(left, first.reason(), first.detail()));
  }

  /**
   * Ignores failures that are caused by an unavailable engine: the tasks are launched again when
   * the engine is back. Repeating the reservation or the start of a task has no effect.
   */
  private Outcome unlessUnavailable(List<Task> left, Outcome outcome) {
    boolean failed =
        outcome.failed().stream().anyMatch(one -> one.reason() == ExitReason.START_FAILED);
    if (!failed || !queue.watch().awaitReturn(job.id())) {
      return outcome;
    }
    left.forEach(task -> begun.remove(task.id()));
    return new Outcome(Map.of(), List.of(), outcome.underWay());
  }

  private UnaryOperator<String> images(
      JobConfig config, User owner, List<Task> left, TaskSecrets secrets) {
    Set<String> written = new LinkedHashSet<>();
    left.forEach(task -> written.add(config.spec().image(config.spec().role(task.id().role()))));
    JobImages.ImageRequest wanted =
        new JobImages.ImageRequest(job, owner, config.spec(), written, secrets::resolve, stop);
    try {
      return queue
          .services()
          .images()
          .provide(
              wanted,
              queue
                  .imageProgress()
                  .of(job, queue.retryingDb(), queue.records(), queue.jobs()::storeEvents));
    } finally {
      queue.imageProgress().finish(job.id());
    }
  }

  private Outcome refused(List<Task> left, String detail) {
    return failed(left, ExitReason.START_REFUSED, detail);
  }

  /** Returns an outcome in which these tasks failed for the same reason. */
  private Outcome failed(List<Task> left, ExitReason reason, String detail) {
    List<GangLauncher.Result> all = new ArrayList<>();
    for (Task task : left) {
      if (!begun.contains(task.id())) {
        all.add(new GangLauncher.Result.Failed(task.id(), reason, detail));
      }
    }
    return Outcome.of(all);
  }
}
