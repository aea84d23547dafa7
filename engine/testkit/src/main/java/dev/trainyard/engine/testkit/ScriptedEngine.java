package dev.trainyard.engine.testkit;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.ExecRequest;
import dev.trainyard.engine.Execution;
import dev.trainyard.engine.ImageStore;
import dev.trainyard.engine.LogChunk;
import dev.trainyard.engine.LogStream;
import dev.trainyard.engine.TaskObservation;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.TaskStart;
import dev.trainyard.engine.Volume;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.Message;
import dev.trainyard.model.Node;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * An engine without processes: the test decides when and how a task ends, and can read the calls
 * that the engine received. As in a real engine, the observer is called on a thread of the engine.
 * {@link #finish} and {@link #end} return after the observer has been called, so that a test does
 * not have to wait.
 */
public final class ScriptedEngine implements Engine {
  private static final int EXIT_NEVER_RAN = 255;
  private static final int EXIT_TERMINATED = 143;

  private final List<Node> nodes;
  private final Clock clock;
  private final ExecutorService observerExecutor =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("scripted-engine").factory());
  private final Map<TaskId, TaskSpec> specs = new LinkedHashMap<>();
  private final Map<TaskId, TaskObservation> tasks = new LinkedHashMap<>();
  private final Map<TaskId, TaskStart> starts = new LinkedHashMap<>();
  private final Map<TaskId, String> addresses = new LinkedHashMap<>();
  private final List<TaskSpec> reservedSpecs = new ArrayList<>();
  private final List<TaskId> startedTasks = new ArrayList<>();
  private final List<TaskId> stoppedTasks = new ArrayList<>();
  private final List<TaskId> removedTasks = new ArrayList<>();
  private final List<ScriptedExecution> executions = new ArrayList<>();
  private Consumer<TaskObservation> observer = _ -> {};
  private final List<Duration> gracePeriods = new ArrayList<>();
  private final Set<Integer> foreignPorts = new HashSet<>();
  private Optional<EngineException> reservationFailure = Optional.empty();
  private int reservationsBeforeFailure;
  private Optional<CompletableFuture<Void>> reservationGate = Optional.empty();
  private int blockedReservations;
  private Optional<EngineException> startFailure = Optional.empty();
  private Optional<Error> nextStartError = Optional.empty();
  private int startsBeforeFailure;
  private Optional<ImageStore> images = Optional.empty();
  private List<Message> warnings = List.of();
  private boolean endsStoppedTasks;
  private boolean endsStartedTasks;
  private volatile boolean isUnavailable;

  public ScriptedEngine(List<Node> nodes) {
    this(nodes, Clock.systemUTC());
  }

  public ScriptedEngine(List<Node> nodes, Clock clock) {
    this.nodes = List.copyOf(nodes);
    this.clock = clock;
  }

  /**
   * Ends a running task with the exit code of its command. The reason is STOPPED if a stop of the
   * task was requested.
   */
  public void finish(TaskId task, int exitCode) {
    end(task, new TaskEnd(exitCode, reasonOf(task, exitCode), "", clock.instant()));
  }

  private synchronized ExitReason reasonOf(TaskId task, int exitCode) {
    if (stoppedTasks.contains(task)) {
      return ExitReason.STOPPED;
    }
    if (exitCode == 0) {
      return ExitReason.SUCCEEDED;
    }
    return exitCode > 128 && exitCode <= 192
        ? ExitReason.KILLED_BY_SIGNAL
        : ExitReason.COMMAND_FAILED;
  }

  /** Ends a task. As in every engine, only the first end of a task counts. */
  public void end(TaskId task, TaskEnd end) {
    recordEnd(task, end).join();
  }

  private synchronized CompletableFuture<Void> recordEnd(TaskId task, TaskEnd end) {
    TaskObservation previous = tasks.get(task);
    if (previous == null) {
      throw new IllegalStateException("no such task: " + task);
    }
    if (previous.phase() == TaskObservation.Phase.ENDED) {
      return CompletableFuture.completedFuture(null);
    }
    return publish(TaskObservation.ended(task, end));
  }

  private CompletableFuture<Void> publish(TaskObservation observation) {
    tasks.put(observation.id(), observation);
    Consumer<TaskObservation> receiver = observer;
    return CompletableFuture.runAsync(() -> receiver.accept(observation), observerExecutor);
  }

  /** Rejects every subsequent reservation, until {@link #acceptReservations}. */
  public void failReservations(String message) {
    failReservationsAfter(0, new EngineException(message));
  }

  /** Accepts this many reservations and fails the others, until {@link #acceptReservations}. */
  public synchronized void failReservationsAfter(int successes, EngineException failure) {
    reservationFailure = Optional.of(failure);
    reservationsBeforeFailure = successes;
  }

  public synchronized void acceptReservations() {
    reservationFailure = Optional.empty();
  }

  /** Allows this many starts and fails the others, until {@link #acceptStarts}. */
  public synchronized void failStartsAfter(int successes, EngineException failure) {
    startFailure = Optional.of(failure);
    startsBeforeFailure = successes;
  }

  /** Fails the next start with this error, for example an error caused by a lack of threads. */
  public synchronized void failNextStart(Error error) {
    nextStartError = Optional.of(error);
  }

  public synchronized void acceptStarts() {
    startFailure = Optional.empty();
  }

  /** Simulates that the engine does not respond, until {@link #reconnect}. */
  public void disconnect() {
    isUnavailable = true;
  }

  public void reconnect() {
    isUnavailable = false;
  }

  @Override
  public Optional<Message> outage() {
    return isUnavailable
        ? Optional.of(Message.of("wait.engine-absent", "engine", name()))
        : Optional.empty();
  }

  private void requireAvailable() {
    if (isUnavailable) {
      throw EngineException.transientFailure("the engine does not respond");
    }
  }

  /** Blocks subsequent reservations, until {@link #resumeReservations}. */
  public synchronized void blockReservations() {
    reservationGate = Optional.of(new CompletableFuture<>());
  }

  /** Continues the blocked reservations. */
  public void resumeReservations() {
    CompletableFuture<Void> gate;
    synchronized (this) {
      gate = reservationGate.orElseThrow();
      reservationGate = Optional.empty();
    }
    gate.complete(null);
  }

  /** Returns the total number of reservations that were blocked. */
  public synchronized int blockedReservationCount() {
    return blockedReservations;
  }

  /** Lets every subsequent task end with exit code 0 as soon as it is started. */
  public synchronized void endStartedTasks() {
    endsStartedTasks = true;
  }

  /** Simulates a foreign program that listens on this port, on every node. */
  public synchronized void occupy(int port) {
    foreignPorts.add(port);
  }

  public synchronized void vacate(int port) {
    foreignPorts.remove(port);
  }

  /** Returns the grace period of every call of {@link #stop}, in order. */
  public synchronized List<Duration> gracePeriods() {
    return List.copyOf(gracePeriods);
  }

  /**
   * Removes a task from the list without any notification, as if the files of the engine were
   * deleted.
   */
  public synchronized void loseTask(TaskId task) {
    tasks.remove(task);
  }

  @Override
  public synchronized boolean isPortFree(String node, int port) {
    return !foreignPorts.contains(port);
  }

  /**
   * Lets every subsequently stopped task end immediately with exit code 143, like a program that
   * SIGTERM ends.
   */
  public synchronized void endStoppedTasks() {
    endsStoppedTasks = true;
  }

  /** Appends to a log of the task, as if its program had printed the text. */
  public void write(TaskId task, boolean stderr, String text) {
    Path log = spec(task).logDirectory().resolve(stderr ? "stderr" : "stdout");
    try {
      Files.createDirectories(log.getParent());
      Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the spec that was reserved under this ID, even after removal. */
  public synchronized TaskSpec spec(TaskId task) {
    return Optional.ofNullable(specs.get(task)).orElseThrow();
  }

  /** Returns the parameters with which a task was started. */
  public synchronized TaskStart start(TaskId task) {
    return Optional.ofNullable(starts.get(task)).orElseThrow();
  }

  /** Returns every successful reservation, in order. */
  public synchronized List<TaskSpec> reserved() {
    return List.copyOf(reservedSpecs);
  }

  /** Returns every task that was started, in order; repeated starts count once. */
  public synchronized List<TaskId> started() {
    return List.copyOf(startedTasks);
  }

  /** Returns the task of every call of {@link #stop}, in order. */
  public synchronized List<TaskId> stopped() {
    return List.copyOf(stoppedTasks);
  }

  /** Returns every existing task that was removed, in order. */
  public synchronized List<TaskId> removed() {
    return List.copyOf(removedTasks);
  }

  /** Sets the problems of the nodes. */
  public synchronized void warn(Message... problems) {
    warnings = List.of(problems);
  }

  @Override
  public synchronized List<Message> warnings() {
    return warnings;
  }

  /** Sets the image store of the engine. */
  public synchronized void useImages(ImageStore store) {
    images = Optional.of(store);
  }

  @Override
  public synchronized Optional<ImageStore> images() {
    return images;
  }

  @Override
  public String name() {
    return "scripted";
  }

  @Override
  public List<Node> nodes() {
    return nodes;
  }

  /** Creates a directory that all users may write to, because this engine knows no host IDs. */
  @Override
  public void prepareVolume(Volume volume, int idRange) {
    try {
      Files.createDirectories(volume.source());
      Files.setPosixFilePermissions(volume.source(), PosixFilePermissions.fromString("rwxrwxrwx"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String reserve(TaskSpec task) {
    Optional<CompletableFuture<Void>> gate;
    synchronized (this) {
      gate = reservationGate;
      blockedReservations += gate.isPresent() ? 1 : 0;
    }
    gate.ifPresent(CompletableFuture::join);
    return reserveNow(task);
  }

  private synchronized String reserveNow(TaskSpec task) {
    requireAvailable();
    if (!tasks.containsKey(task.id())) {
      if (reservationFailure.isPresent() && reservationsBeforeFailure-- <= 0) {
        throw reservationFailure.get();
      }
      specs.put(task.id(), task);
      reservedSpecs.add(task);
      addresses.putIfAbsent(task.id(), "10.0.0." + (addresses.size() + 1));
      tasks.put(task.id(), TaskObservation.reserved(task.id()));
    }
    return addresses.get(task.id());
  }

  @Override
  public synchronized void start(TaskId task, TaskStart taskStart) {
    requireAvailable();
    TaskObservation previous = tasks.get(task);
    if (previous == null) {
      throw new EngineException("task " + task + " was not reserved");
    }
    if (previous.phase() == TaskObservation.Phase.RESERVED) {
      if (nextStartError.isPresent()) {
        Error error = nextStartError.get();
        nextStartError = Optional.empty();
        throw error;
      }
      if (startFailure.isPresent() && startsBeforeFailure-- <= 0) {
        throw startFailure.get();
      }
      startedTasks.add(task);
      starts.put(task, taskStart);
      var _ =
          endsStartedTasks
              ? publish(
                  TaskObservation.ended(
                      task, new TaskEnd(0, ExitReason.SUCCEEDED, "", clock.instant())))
              : publish(TaskObservation.running(task));
    }
  }

  @Override
  public synchronized void stop(TaskId task, Duration grace) {
    stoppedTasks.add(task);
    gracePeriods.add(grace);
    TaskObservation previous = tasks.get(task);
    if (previous == null) {
      return;
    }
    if (previous.phase() == TaskObservation.Phase.RESERVED) {
      stopNow(task, EXIT_NEVER_RAN);
    } else if (previous.phase() == TaskObservation.Phase.RUNNING && endsStoppedTasks) {
      stopNow(task, EXIT_TERMINATED);
    }
  }

  private void stopNow(TaskId task, int exitCode) {
    var _ = recordEnd(task, new TaskEnd(exitCode, ExitReason.STOPPED, "", clock.instant()));
  }

  @Override
  public synchronized List<TaskObservation> list() {
    requireAvailable();
    return List.copyOf(tasks.values());
  }

  @Override
  public synchronized void remove(TaskId task) {
    if (tasks.remove(task) != null) {
      removedTasks.add(task);
    }
  }

  /** Uses byte offsets as cursors. */
  @Override
  public LogChunk follow(TaskId task, LogStream stream, String cursor) {
    int from = cursor.isEmpty() ? 0 : Integer.parseInt(cursor);
    boolean isLast =
        list().stream()
            .noneMatch(observation -> observation.id().equals(task) && observation.end().isEmpty());
    Path log = spec(task).logDirectory().resolve(stream.fileName());
    try {
      byte[] content = Files.exists(log) ? Files.readAllBytes(log) : new byte[0];
      ByteBuffer bytes = ByteBuffer.wrap(content, from, content.length - from);
      return new LogChunk(bytes, Integer.toString(content.length), isLast);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns every command that was run by {@link #exec}, in order. */
  public synchronized List<ScriptedExecution> executions() {
    return List.copyOf(executions);
  }

  @Override
  public synchronized Execution exec(TaskId task, ExecRequest request) {
    TaskObservation observation = tasks.get(task);
    if (observation == null || observation.phase() != TaskObservation.Phase.RUNNING) {
      throw new EngineException("the task is not running");
    }
    ScriptedExecution execution = new ScriptedExecution(task, request);
    executions.add(execution);
    return execution;
  }

  @Override
  public synchronized void watch(Consumer<TaskObservation> newObserver) {
    observer = newObserver;
  }

  @Override
  public void close() {
    observerExecutor.shutdown();
  }
}
