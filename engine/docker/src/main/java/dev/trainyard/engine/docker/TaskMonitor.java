package dev.trainyard.engine.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.model.Event;
import com.github.dockerjava.api.model.EventType;
import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.TaskObservation;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines the state of tasks and notifies the watcher. The engine reports the end of each
 * container; after a disconnection, all tasks are checked again.
 */
final class TaskMonitor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskMonitor.class);
  private static final Duration START_TIMEOUT = Duration.ofSeconds(20);
  private static final long PAUSE_MILLIS = 10;
  private static final int RECONNECT_MILLIS = 500;
  private static final int REWRITE_SECONDS = 5;

  /**
   * Maximum age of the past events that are requested when a connection is opened. Docker reports
   * the end of a container before its lists show the end; the delay is the time for the cleanup of
   * the container. Without the past events, a container that ended just before this connection
   * would count as running.
   */
  private static final Duration EVENT_REPLAY = Duration.ofMinutes(1);

  private final DockerClient docker;
  private final Labels labels;
  private final DockerTaskDirectories taskDirectories;
  private final Containers containers;
  private final SecretDirectory secretDirectory;
  private final TaskFiles taskFiles;
  private final ScheduledExecutorService notifier =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("docker-observer").factory());

  /** Tasks that this engine is starting, so that their containers may not be running yet. */
  private final Set<TaskId> startingTasks = ConcurrentHashMap.newKeySet();

  /**
   * End times of tasks that ended before their start was complete; these ends are reported after
   * the start.
   */
  private final Map<TaskId, Instant> earlyEnds = new ConcurrentHashMap<>();

  /** Ends that could not be written because the disk is full; writing is retried. */
  private final Map<TaskId, TaskEnd> unwrittenEnds = new ConcurrentHashMap<>();

  private volatile Consumer<TaskObservation> observer = _ -> {};
  private volatile boolean closed;
  private volatile ResultCallback<Event> events;

  TaskMonitor(
      DockerClient docker,
      Labels labels,
      DockerTaskDirectories taskDirectories,
      Containers containers,
      SecretDirectory secretDirectory,
      TaskFiles taskFiles) {
    this.docker = docker;
    this.labels = labels;
    this.taskDirectories = taskDirectories;
    this.containers = containers;
    this.secretDirectory = secretDirectory;
    this.taskFiles = taskFiles;
    listen();
  }

  private void listen() {
    if (closed) {
      return;
    }
    events =
        docker
            .eventsCmd()
            .withEventTypeFilter(EventType.CONTAINER)
            // Some versions of Podman use another name for the event.
            .withEventFilter("die", "died")
            .withLabelFilter(Map.of(Labels.SERVER, labels.serverId()))
            .withSince(Long.toString(Instant.now().minus(EVENT_REPLAY).getEpochSecond()))
            .exec(new Listener());
  }

  /** Receives the engine's events, and reconnects after a disconnection. */
  private final class Listener extends ResultCallback.Adapter<Event> {
    /** Set by the first error or completion, because only one of them must reconnect. */
    private final AtomicBoolean reconnecting = new AtomicBoolean();

    @Override
    public void onStart(Closeable stream) {
      super.onStart(stream);
      try {
        notifier.execute(TaskMonitor.this::reportAllEnds);
      } catch (RejectedExecutionException e) {
        LOG.debug("closed");
      }
    }

    @Override
    public void onNext(Event event) {
      var actor = event.getActor();
      String task = actor == null ? null : actor.getAttributes().get(Labels.TASK);
      if (task != null) {
        Long nanos = event.getTimeNano();
        Instant endTime = nanos == null ? Instant.now() : Instant.ofEpochSecond(0, nanos);
        DockerTaskDirectory taskDirectory = taskDirectories.of(TaskId.parse(task));
        TaskMonitor.this.execute(taskDirectory, () -> handleEnd(taskDirectory, endTime));
      }
    }

    @Override
    public void onError(Throwable failure) {
      super.onError(failure);
      reconnect();
    }

    @Override
    public void onComplete() {
      super.onComplete();
      reconnect();
    }

    private void reconnect() {
      try {
        if (!closed && reconnecting.compareAndSet(false, true)) {
          var _ =
              notifier.schedule(TaskMonitor.this::listen, RECONNECT_MILLIS, TimeUnit.MILLISECONDS);
        }
      } catch (RejectedExecutionException e) {
        LOG.debug("closed");
      }
    }
  }

  /** Reports tasks that ended while the events were disconnected. */
  private void reportAllEnds() {
    try {
      list().stream().filter(observation -> observation.end().isPresent()).forEach(this::reportNow);
    } catch (EngineException e) {
      LOG.debug("the engine is still unavailable: {}", e.getMessage());
    }
  }

  void watch(Consumer<TaskObservation> newObserver) {
    observer = newObserver;
  }

  void beginStart(DockerTaskDirectory task) {
    startingTasks.add(task.id());
    notifyWatcher(TaskObservation.running(task.id()));
  }

  /** Waits until a start in progress has finished, for a limited time. */
  void awaitStarted(TaskId id) {
    long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
    try {
      while (isStarting(id) && System.nanoTime() < deadline) {
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isStarting(TaskId task) {
    return startingTasks.contains(task);
  }

  void finishStart(DockerTaskDirectory task) {
    startingTasks.remove(task.id());
    Instant endTime = earlyEnds.remove(task.id());
    if (endTime != null) {
      execute(task, () -> handleEnd(task, endTime));
    }
  }

  /**
   * Defers the end of a container whose start is in progress; returns whether it was deferred. The
   * order matters: {@link #finishStart} accesses the two collections in the opposite order.
   */
  private boolean deferEndIfStarting(DockerTaskDirectory task, Instant endTime) {
    earlyEnds.put(task.id(), endTime);
    if (startingTasks.contains(task.id())) {
      return true;
    }
    earlyEnds.remove(task.id());
    return false;
  }

  /** Returns whether the end was observed, without a request to the engine. */
  boolean isEndKnown(DockerTaskDirectory task) {
    return Files.exists(task.file("end.json")) || unwrittenEnds.containsKey(task.id());
  }

  /** Returns the states of all reserved tasks, with at most one request to the engine. */
  List<TaskObservation> list() {
    List<DockerTaskDirectory> directories = taskDirectories.list();
    boolean allEnded = directories.stream().allMatch(task -> Files.exists(task.file("end.json")));
    Map<String, Containers.Stage> stages = allEnded ? Map.of() : containers.stages();
    return directories.stream()
        .flatMap(
            task ->
                observeInList(
                    task, stages.getOrDefault(task.id().toString(), Containers.Stage.MISSING))
                    .stream())
        .toList();
  }

  /**
   * Returns the state of one task of a list. A task whose files cannot be read must not hide the
   * other tasks; such a task is reported as running.
   */
  private Optional<TaskObservation> observeInList(
      DockerTaskDirectory task, Containers.Stage stage) {
    try {
      return observe(task, stage);
    } catch (IOException e) {
      LOG.error("failed to read task {}", task.id(), e);
      return Optional.of(
          stage == Containers.Stage.CREATED
              ? observeNotRunning(task)
              : TaskObservation.running(task.id()));
    }
  }

  /** Returns the current state of a task; empty if the task does not exist. */
  Optional<TaskObservation> observe(DockerTaskDirectory task) {
    try {
      return observe(task, containers.stage(task.id()));
    } catch (IOException e) {
      throw new EngineException("task " + task.id() + " cannot be read: " + e.getMessage(), e);
    }
  }

  private Optional<TaskObservation> observe(DockerTaskDirectory task, Containers.Stage stage)
      throws IOException {
    if (!task.isReserved()) {
      return Optional.empty();
    }
    Optional<TaskEnd> knownEnd = knownEnd(task);
    if (knownEnd.isPresent()) {
      return Optional.of(TaskObservation.ended(task.id(), knownEnd.get()));
    }
    return switch (stage) {
      case RUNNING -> Optional.of(TaskObservation.running(task.id()));
      case CREATED -> Optional.of(observeNotRunning(task));
      case ENDED ->
          deferEndIfStarting(task, Instant.now())
              ? Optional.of(observeNotRunning(task))
              : determineEnd(task);
      case MISSING -> task.isStarted() ? determineEnd(task) : Optional.of(observeNotRunning(task));
    };
  }

  private Optional<TaskEnd> knownEnd(DockerTaskDirectory task) throws IOException {
    TaskEnd unwrittenEnd = unwrittenEnds.get(task.id());
    return unwrittenEnd == null ? task.end() : Optional.of(unwrittenEnd);
  }

  private TaskObservation observeNotRunning(DockerTaskDirectory task) {
    return startingTasks.contains(task.id())
        ? TaskObservation.running(task.id())
        : TaskObservation.reserved(task.id());
  }

  /**
   * Inspects an ended container and records the result, because the container may be removed
   * externally.
   */
  private Optional<TaskObservation> determineEnd(DockerTaskDirectory task) throws IOException {
    Optional<ContainerState> state = containers.state(task.id());
    boolean stopRequested = task.stopMark().isSet();
    TaskEnd end;
    if (state.isEmpty()) {
      if (!task.isReserved()) {
        return Optional.empty(); // because the task was removed concurrently
      }
      ExitReason reason = stopRequested ? ExitReason.STOPPED : ExitReason.SUPERVISOR_LOST;
      String detail = stopRequested ? "" : "the container of the task no longer exists";
      end = new TaskEnd(137, reason, detail, Instant.now());
    } else {
      if (Containers.stage(state.get().getStatus()) != Containers.Stage.ENDED) {
        return Optional.of(TaskObservation.running(task.id()));
      }
      end = ContainerExit.taskEnd(state.get(), EndRecord.read(task.file("end")), stopRequested);
    }
    return Optional.of(TaskObservation.ended(task.id(), recordEnd(task, end)));
  }

  /**
   * Records the end; the first recorded end is final. A full disk delays writing the record, but
   * not reporting the end.
   */
  synchronized TaskEnd recordEnd(DockerTaskDirectory task, TaskEnd end) throws IOException {
    Optional<TaskEnd> knownEnd = knownEnd(task);
    if (knownEnd.isPresent()) {
      return knownEnd.get();
    }
    secretDirectory.deleteSecrets(task.id());
    reclaimFiles(task);
    TaskEnd rounded =
        new TaskEnd(
            end.exitCode(),
            end.reason(),
            end.detail(),
            Instant.ofEpochMilli(end.at().toEpochMilli()));
    writeEnd(task, rounded);
    return rounded;
  }

  private void reclaimFiles(DockerTaskDirectory task) {
    try {
      Optional<TaskSpec> spec = StoredTask.read(task).map(StoredTask::spec);
      if (spec.isPresent()) {
        taskFiles.reclaim(task, spec.get());
        LogTruncator.truncate(spec.get());
      }
    } catch (IOException e) {
      LOG.warn("failed to process the logs of task {}", task.id(), e);
    }
  }

  /**
   * Writes the end. The end becomes visible only after it is written, so that the next server
   * process reads the same end. If it cannot be written, the end becomes visible immediately, and
   * writing is retried until it succeeds or the task is removed.
   */
  private synchronized void writeEnd(DockerTaskDirectory task, TaskEnd end) {
    if (!task.isReserved()) {
      unwrittenEnds.remove(task.id());
      return;
    }
    try {
      task.writeEnd(end);
      unwrittenEnds.remove(task.id());
    } catch (IOException e) {
      LOG.warn("failed to record the end of task {}; will retry", task.id(), e);
      unwrittenEnds.put(task.id(), end);
      try {
        var _ = notifier.schedule(() -> retryWrite(task), REWRITE_SECONDS, TimeUnit.SECONDS);
      } catch (RejectedExecutionException _) {
        LOG.debug("closed");
      }
    }
  }

  private synchronized void retryWrite(DockerTaskDirectory task) {
    TaskEnd end = unwrittenEnds.get(task.id());
    if (end != null) {
      writeEnd(task, end);
    }
  }

  /** Discards an end that could not be written; called when the task is removed. */
  synchronized void forget(TaskId task) {
    unwrittenEnds.remove(task);
  }

  /** Reports an end without a request to the engine, which may be unavailable. */
  void reportEnd(DockerTaskDirectory task, TaskEnd end) {
    notifyWatcher(TaskObservation.ended(task.id(), end));
  }

  private void execute(DockerTaskDirectory task, Runnable operation) {
    try {
      notifier.execute(operation);
    } catch (RejectedExecutionException e) {
      LOG.debug("closed; the next server finds the end of {}", task.id());
    }
  }

  /**
   * Handles the engine's event that a container has ended. The details are in the record of the
   * first process, so that no other request to the engine is necessary.
   */
  private void handleEnd(DockerTaskDirectory task, Instant endTime) {
    try {
      Optional<EndRecord> record = EndRecord.read(task.file("end"));
      if (record.isEmpty() || !task.isReserved() || isEndKnown(task)) {
        observeAndReport(task);
      } else if (!deferEndIfStarting(task, endTime)) {
        TaskEnd end = ContainerExit.taskEnd(record.get(), task.stopMark().isSet(), endTime);
        reportNow(TaskObservation.ended(task.id(), recordEnd(task, end)));
      }
    } catch (IOException e) {
      LOG.warn("failed to read the end of task {}", task.id(), e);
    }
  }

  private void observeAndReport(DockerTaskDirectory task) {
    try {
      observe(task).filter(observation -> observation.end().isPresent()).ifPresent(this::reportNow);
    } catch (EngineException e) {
      if (!closed) {
        LOG.warn("failed to check task {}: {}", task.id(), e.getMessage());
      }
    }
  }

  private void notifyWatcher(TaskObservation observation) {
    try {
      notifier.execute(() -> reportNow(observation));
    } catch (RejectedExecutionException e) {
      LOG.debug("closed before the change of {} was reported", observation.id());
    }
  }

  private void reportNow(TaskObservation observation) {
    try {
      observer.accept(observation);
    } catch (RuntimeException e) {
      LOG.error("the watcher failed for task {}", observation.id(), e);
    }
  }

  @Override
  public void close() {
    closed = true;
    notifier.shutdownNow();
    try {
      events.close();
    } catch (IOException e) {
      LOG.debug("failed to close the engine's events", e);
    }
  }
}
