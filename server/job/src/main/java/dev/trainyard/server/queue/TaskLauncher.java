package dev.trainyard.server.queue;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.SecretFiles;
import dev.trainyard.model.Capability;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobSpec;
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
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Starts placed tasks: the tasks of a gang together, other tasks independently, so that a task that
 * fails to start does not affect the others.
 *
 * @param stop completed when the attempt must end
 * @param startedTasks receives every task just before the task is started, because the task may be
 *     running from then on
 */
record TaskLauncher(
    QueueContext queue, Job job, CompletableFuture<Void> stop, Set<TaskId> startedTasks) {

  /**
   * Result of a launch.
   *
   * @param addresses addresses of the running tasks
   * @param failed tasks whose reservation or start failed
   * @param reservations completed when all reservations that were in progress when the attempt was
   *     stopped have ended
   */
  record Outcome(
      Map<TaskId, String> addresses,
      List<GangLauncher.Result.Failed> failed,
      CompletableFuture<Void> reservations) {

    private static Outcome of(Collection<GangLauncher.Result> results) {
      Map<TaskId, String> addresses = new HashMap<>();
      List<GangLauncher.Result.Failed> failed = new ArrayList<>();
      CompletableFuture<Void> reservations = CompletableFuture.completedFuture(null);
      for (GangLauncher.Result result : results) {
        switch (result) {
          case GangLauncher.Result.Running(Map<TaskId, String> running) ->
              addresses.putAll(running);
          case GangLauncher.Result.Failed failure -> failed.add(failure);
          case GangLauncher.Result.Stopped(CompletableFuture<Void> reserving) ->
              reservations = CompletableFuture.allOf(reservations, reserving);
        }
      }
      return new Outcome(addresses, failed, reservations);
    }
  }

  /**
   * @param all the placed tasks of the attempt
   * @param tasksToStart the tasks of {@code all} to start
   */
  Outcome run(JobConfig config, List<Task> all, List<Task> tasksToStart) {
    boolean gang = config.spec().extras().gangAllocation();
    Optional<User> owner =
        queue.retryingDb().withRetries(() -> queue.services().owners().apply(job));
    if (owner.isEmpty()) {
      return rejected(tasksToStart, "the owner of the job no longer exists");
    }
    List<Capability> missing = missingCapabilities(owner.get(), config.spec());
    if (!missing.isEmpty()) {
      return rejected(
          tasksToStart, "the owner no longer has the capabilities " + Capability.names(missing));
    }
    try {
      var storages =
          queue.retryingDb().withRetries(() -> queue.services().sharedStorages().apply(job.id()));
      TaskSecrets secrets = TaskSecrets.of(job, queue.services().secrets(), queue.retryingDb());
      UnaryOperator<String> images = images(config, owner.get(), tasksToStart, secrets);
      if (stop.isDone()) {
        return Outcome.of(List.of()); // nothing was started
      }
      TaskSpecs.JobTaskSpecs specs = queue.specs().of(job, config, owner.get(), storages, images);
      PluginStart plugins =
          new PluginStart(job.id(), config.spec(), all, queue.services().keys(), secrets::resolve);
      Queue<GangLauncher.Result> results = new ConcurrentLinkedQueue<>();
      List<List<Task>> groups =
          gang ? List.of(tasksToStart) : tasksToStart.stream().map(List::of).toList();
      ParallelForEach.run(
          queue.threads(),
          groups,
          group ->
              results.add(
                  new GangLauncher(queue.engine(), queue.threads(), stop, startedTasks)
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
      return ignoreFailuresIfUnavailable(tasksToStart, Outcome.of(results));
    } catch (EngineException e) {
      return ignoreFailuresIfUnavailable(
          tasksToStart, failed(tasksToStart, task -> GangLauncher.Result.Failed.of(task, e)));
    } catch (RuntimeException e) {
      queue.retryingDb().stopIfClosed(e);
      return internalError(tasksToStart, e);
    } catch (Error e) {
      return internalError(tasksToStart, e);
    }
  }

  private List<Capability> missingCapabilities(User owner, JobSpec spec) {
    return queue
        .retryingDb()
        .withRetries(() -> queue.services().missingCapabilities().apply(owner, spec));
  }

  private Outcome internalError(List<Task> tasksToStart, Throwable cause) {
    GangLauncher.Result.Failed failure =
        GangLauncher.internalError(tasksToStart.getFirst().id(), cause);
    return ignoreFailuresIfUnavailable(
        tasksToStart,
        failed(
            tasksToStart,
            task ->
                new GangLauncher.Result.Failed(
                    task, failure.reason(), failure.detail(), failure.message())));
  }

  /**
   * Ignores failures that are caused by an unavailable engine: the tasks are launched again when
   * the engine is available again. Reserving or starting a task a second time has no effect.
   */
  private Outcome ignoreFailuresIfUnavailable(List<Task> tasksToStart, Outcome outcome) {
    boolean failed =
        outcome.failed().stream().anyMatch(failure -> failure.reason() == ExitReason.START_FAILED);
    if (!failed || !queue.watch().awaitReturn(job.id())) {
      return outcome;
    }
    tasksToStart.forEach(task -> startedTasks.remove(task.id()));
    return new Outcome(Map.of(), List.of(), outcome.reservations());
  }

  private UnaryOperator<String> images(
      JobConfig config, User owner, List<Task> tasksToStart, TaskSecrets secrets) {
    Set<String> imageNames = new LinkedHashSet<>();
    tasksToStart.forEach(
        task -> imageNames.add(config.spec().image(config.spec().role(task.id().role()))));
    JobImages.ImageRequest request =
        new JobImages.ImageRequest(job, owner, config.spec(), imageNames, secrets::resolve, stop);
    try {
      return queue
          .services()
          .images()
          .provide(
              request,
              queue
                  .imageProgress()
                  .of(job, queue.retryingDb(), queue.records(), queue.jobs()::storeEvents));
    } finally {
      queue.imageProgress().finish(job.id());
    }
  }

  private Outcome rejected(List<Task> tasksToStart, String detail) {
    return failed(
        tasksToStart,
        task ->
            new GangLauncher.Result.Failed(
                task, ExitReason.START_REFUSED, detail, Optional.empty()));
  }

  /**
   * Returns an outcome in which all of these tasks that were not started failed for the same
   * reason.
   */
  private Outcome failed(
      List<Task> tasksToStart, Function<TaskId, GangLauncher.Result.Failed> failure) {
    List<GangLauncher.Result> failures = new ArrayList<>();
    for (Task task : tasksToStart) {
      if (!startedTasks.contains(task.id())) {
        failures.add(failure.apply(task.id()));
      }
    }
    return Outcome.of(failures);
  }
}
