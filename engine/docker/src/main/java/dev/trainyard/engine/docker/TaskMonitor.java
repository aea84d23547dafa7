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
  private static final Duration STARTING = Duration.ofSeconds(20);
  private static final long PAUSE_MILLIS = 10;
  private static final int RECONNECT_MILLIS = 500;
  private static final int REWRITE_SECONDS = 5;

  /**
   * Docker reports the end of a container before its lists show it; the delay is the time for the
   * cleanup of the container. Therefore the events of the last minute are requested again:
   * otherwise a container that ended just before this connection would count as running.
   */
  private static final Duration REPEATED = Duration.ofMinutes(1);

  private final DockerClient docker;
  private final Labels labels;
  private final DockerTaskDirectories places;
  private final Containers containers;
  private final SecretDirectory secrets;
  private final TaskFiles files;
  private final ScheduledExecutorService notifier =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("docker-observer").factory());

  /** Tasks that this engine is starting: their containers are not running yet. */
  private final Set<TaskId> starting = ConcurrentHashMap.newKeySet();

  /** Tasks that ended before their start was complete, and when; the end is reported afterwards. */
  private final Map<TaskId, Instant> early = new ConcurrentHashMap<>();

  /** Ends that could not be written because the disk is full; writing is retried. */
  private final Map<TaskId, TaskEnd> unwritten = new ConcurrentHashMap<>();

  private volatile Consumer<TaskObservation> observer = _ -> {};
  private volatile boolean closed;
  private volatile ResultCallback<Event> events;

  TaskMonitor(
      DockerClient docker,
      Labels labels,
      DockerTaskDirectories places,
      Containers containers,
      SecretDirectory secrets,
      TaskFiles files) {
    this.docker = docker;
    this.labels = labels;
    this.places = places;
    this.containers = containers;
    this.secrets = secrets;
    this.files = files;
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
            .withLabelFilter(Map.of(Labels.SERVER, labels.server()))
            .withSince(Long.toString(Instant.now().minus(REPEATED).getEpochSecond()))
            .exec(new Listener());
  }

  /** Receives the engine's events, and reconnects after a disconnection. */
  private final class Listener extends ResultCallback.Adapter<Event> {
    /** An error may be followed by the completion; only one of them must reconnect. */
    private final AtomicBoolean reconnecting = new AtomicBoolean();

    @Override
    public void onStart(Closeable stream) {
      super.onStart(stream);
      try {
        notifier.execute(TaskMonitor.this::lookAtAll);
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
        Instant at = nanos == null ? Instant.now() : Instant.ofEpochSecond(0, nanos);
        DockerTaskDirectory place = places.of(TaskId.parse(task));
        TaskMonitor.this.execute(place, () -> died(place, at));
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
  private void lookAtAll() {
    try {
      list().stream().filter(seen -> seen.end().isPresent()).forEach(this::reportNow);
    } catch (EngineException e) {
      LOG.debug("the engine is still unavailable: {}", e.getMessage());
    }
  }

  void watch(Consumer<TaskObservation> newObserver) {
    observer = newObserver;
  }

  void starting(DockerTaskDirectory task) {
    starting.add(task.id());
    notifyWatcher(TaskObservation.running(task.id()));
  }

  /** Waits until a start in progress has finished, for a limited time. */
  void awaitStarted(TaskId id) {
    long end = System.nanoTime() + STARTING.toNanos();
    try {
      while (isStarting(id) && System.nanoTime() < end) {
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isStarting(TaskId task) {
    return starting.contains(task);
  }

  void started(DockerTaskDirectory task) {
    starting.remove(task.id());
    Instant ended = early.remove(task.id());
    if (ended != null) {
      execute(task, () -> died(task, ended));
    }
  }

  /**
   * Returns whether the end of the container must not be reported yet, because its start is in
   * progress. The order matters: {@link #started} accesses the two collections in the opposite
   * order.
   */
  private boolean isEarly(DockerTaskDirectory task, Instant ended) {
    early.put(task.id(), ended);
    if (starting.contains(task.id())) {
      return true;
    }
    early.remove(task.id());
    return false;
  }

  /** Returns whether the end was observed, without a request to the engine. */
  boolean hasSeenEnd(DockerTaskDirectory task) {
    return Files.exists(task.file("end.json")) || unwritten.containsKey(task.id());
  }

  /** Returns every reserved task, with one request to the engine at most. */
  List<TaskObservation> list() {
    List<DockerTaskDirectory> all = places.list();
    boolean allEnded = all.stream().allMatch(task -> Files.exists(task.file("end.json")));
    Map<String, Containers.Stage> stages = allEnded ? Map.of() : containers.stages();
    return all.stream()
        .flatMap(
            task ->
                lookAmongOthers(
                    task, stages.getOrDefault(task.id().toString(), Containers.Stage.MISSING))
                    .stream())
        .toList();
  }

  /**
   * Returns the state of one task of a list. A task whose files cannot be read must not hide the
   * others; it is reported as running.
   */
  private Optional<TaskObservation> lookAmongOthers(
      DockerTaskDirectory task, Containers.Stage stage) {
    try {
      return lookAt(task, stage);
    } catch (IOException e) {
      LOG.error("failed to read task {}", task.id(), e);
      return Optional.of(
          stage == Containers.Stage.CREATED ? waiting(task) : TaskObservation.running(task.id()));
    }
  }

  /** Returns the current state of a task. Empty if the task does not exist. */
  Optional<TaskObservation> look(DockerTaskDirectory task) {
    try {
      return lookAt(task, containers.stage(task.id()));
    } catch (IOException e) {
      throw new EngineException("task " + task.id() + " cannot be read: " + e.getMessage(), e);
    }
  }

  private Optional<TaskObservation> lookAt(DockerTaskDirectory task, Containers.Stage stage)
      throws IOException {
    if (!task.isReserved()) {
      return Optional.empty();
    }
    Optional<TaskEnd> known = knownEnd(task);
    if (known.isPresent()) {
      return Optional.of(TaskObservation.ended(task.id(), known.get()));
    }
    return switch (stage) {
      case RUNNING -> Optional.of(TaskObservation.running(task.id()));
      case CREATED -> Optional.of(waiting(task));
      case ENDED -> isEarly(task, Instant.now()) ? Optional.of(waiting(task)) : ended(task);
      case MISSING -> task.isStarted() ? ended(task) : Optional.of(waiting(task));
    };
  }

  private Optional<TaskEnd> knownEnd(DockerTaskDirectory task) throws IOException {
    TaskEnd waiting = unwritten.get(task.id());
    return waiting == null ? task.end() : Optional.of(waiting);
  }

  private TaskObservation waiting(DockerTaskDirectory task) {
    return starting.contains(task.id())
        ? TaskObservation.running(task.id())
        : TaskObservation.reserved(task.id());
  }

  /**
   * Inspects an ended container and records the result, because the container may be removed
   * externally.
   */
  private Optional<TaskObservation> ended(DockerTaskDirectory task) throws IOException {
    Optional<ContainerState> state = containers.state(task.id());
    boolean stopped = task.stop().isSet();
    TaskEnd end;
    if (state.isEmpty()) {
      if (!task.isReserved()) {
        return Optional.empty(); // removed at the same time
      }
      ExitReason reason = stopped ? ExitReason.STOPPED : ExitReason.SUPERVISOR_LOST;
      String why = stopped ? "" : "its container is gone";
      end = new TaskEnd(137, reason, why, Instant.now());
    } else {
      if (Containers.stage(state.get().getStatus()) != Containers.Stage.ENDED) {
        return Optional.of(TaskObservation.running(task.id()));
      }
      end = ContainerExit.understood(state.get(), EndRecord.read(task.file("end")), stopped);
    }
    return Optional.of(TaskObservation.ended(task.id(), record(task, end)));
  }

  /**
   * Records the end; the first end is final. A full disk delays writing the record, not reporting
   * the end.
   */
  synchronized TaskEnd record(DockerTaskDirectory task, TaskEnd end) throws IOException {
    Optional<TaskEnd> known = knownEnd(task);
    if (known.isPresent()) {
      return known.get();
    }
    secrets.empty(task.id());
    takeBackFiles(task);
    TaskEnd rounded =
        new TaskEnd(
            end.exitCode(),
            end.reason(),
            end.detail(),
            Instant.ofEpochMilli(end.at().toEpochMilli()));
    write(task, rounded);
    return rounded;
  }

  private void takeBackFiles(DockerTaskDirectory task) {
    try {
      Optional<TaskSpec> spec = StoredTask.read(task).map(StoredTask::spec);
      if (spec.isPresent()) {
        files.takeBack(task, spec.get());
        LogCut.apply(spec.get());
      }
    } catch (IOException e) {
      LOG.warn("failed to process the logs of task {}", task.id(), e);
    }
  }

  /**
   * Writes the end. It becomes visible only after it is written, so that the next server process
   * sees the same; if it cannot be written, it counts immediately, and writing is retried until it
   * succeeds or the task is removed.
   */
  private synchronized void write(DockerTaskDirectory task, TaskEnd end) {
    if (!task.isReserved()) {
      unwritten.remove(task.id());
      return;
    }
    try {
      task.writeEnd(end);
      unwritten.remove(task.id());
    } catch (IOException e) {
      LOG.warn("failed to record the end of task {}; will retry", task.id(), e);
      unwritten.put(task.id(), end);
      try {
        var _ = notifier.schedule(() -> writeAgain(task), REWRITE_SECONDS, TimeUnit.SECONDS);
      } catch (RejectedExecutionException _) {
        LOG.debug("closed");
      }
    }
  }

  private synchronized void writeAgain(DockerTaskDirectory task) {
    TaskEnd end = unwritten.get(task.id());
    if (end != null) {
      write(task, end);
    }
  }

  /** Called when the task is removed. */
  synchronized void forget(TaskId task) {
    unwritten.remove(task);
  }

  /**
   * Reports an end, even while the engine is unavailable and cannot be asked for the task's state.
   */
  void reportEnd(DockerTaskDirectory task, TaskEnd end) {
    notifyWatcher(TaskObservation.ended(task.id(), end));
  }

  private void execute(DockerTaskDirectory task, Runnable work) {
    try {
      notifier.execute(work);
    } catch (RejectedExecutionException e) {
      LOG.debug("closed; the next server finds the end of {}", task.id());
    }
  }

  /**
   * Handles the engine's event: the record of the first process provides the details, without
   * another request to the engine.
   */
  private void died(DockerTaskDirectory task, Instant at) {
    try {
      Optional<EndRecord> record = EndRecord.read(task.file("end"));
      if (record.isEmpty() || !task.isReserved() || hasSeenEnd(task)) {
        lookAndReport(task);
      } else if (!isEarly(task, at)) {
        TaskEnd end = ContainerExit.understood(record.get(), task.stop().isSet(), at);
        reportNow(TaskObservation.ended(task.id(), record(task, end)));
      }
    } catch (IOException e) {
      LOG.warn("failed to read the end of task {}", task.id(), e);
    }
  }

  private void lookAndReport(DockerTaskDirectory task) {
    try {
      look(task).filter(seen -> seen.end().isPresent()).ifPresent(this::reportNow);
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
