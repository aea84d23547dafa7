package dev.trainyard.engine.docker;

import com.github.dockerjava.api.DockerClient;
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
import dev.trainyard.engine.Usage;
import dev.trainyard.engine.linux.LogFiles;
import dev.trainyard.engine.linux.PlatformFiles;
import dev.trainyard.engine.linux.Ports;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.Message;
import dev.trainyard.model.Node;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs each task in a container of a Docker engine on this host, or of Podman instead. A
 * reservation creates the container; a start starts it. The state of a task is stored in its
 * directory and in its container, so that a restarted server finds both.
 */
public final class DockerEngine implements Engine {
  private static final Logger LOG = LoggerFactory.getLogger(DockerEngine.class);

  /** Pause between checks of an unavailable engine. */
  private static final int ABSENCE_MILLIS = 500;

  private static final int LOCKS = 1024;

  private static final long RETRY_MILLIS = 1_000;

  private final String name;
  private final List<Node> nodes;
  private final ContainerPreparer containerPreparer;
  private final Optional<String> machineAddress;
  private final ImageStore images;
  private final DockerTaskDirectories places;
  private final Containers containers;
  private final Path socket;
  private final Networks networks;
  private final TaskMonitor taskMonitor;
  private final TaskStopper taskStopper;
  private final Executions executions;
  private volatile boolean closed;

  /** Cache of the records of tasks; their directories contain the same. */
  private final Map<TaskId, StoredTask> known = new ConcurrentHashMap<>();

  /**
   * Locks by task; their number is large enough that two tasks rarely share one. Never held during
   * a grace period.
   */
  private final List<Object> locks = Stream.generate(Object::new).limit(LOCKS).toList();

  /** Containers that this engine created and has not started, so their state is known. */
  private final Set<TaskId> fresh = ConcurrentHashMap.newKeySet();

  /**
   * @throws EngineException if this host cannot run tasks, with the remedy
   */
  public DockerEngine(DockerEngineConfig config) {
    DockerClient docker = config.connection().client();
    name = config.connection().engine();
    socket = config.connection().socket();
    containerPreparer = ContainerPreparer.open(config);
    try {
      machineAddress = HostAddress.of(config);
      images = new DockerImages(config.connection(), this::container);
      nodes = List.of(containerPreparer.node());
      places = containerPreparer.places();
      containers = new Containers(docker, containerPreparer.labels());
      networks = new Networks(config.connection(), containerPreparer.labels(), config.networks());
      Adoption adoption = new Adoption(containerPreparer, containers);
      List<StoredTask> found = adoption.clearLeftovers();
      found.forEach(task -> known.put(task.spec().id(), task));
      networks.adopt(found);
      taskMonitor =
          new TaskMonitor(
              docker,
              containerPreparer.labels(),
              places,
              containers,
              containerPreparer.secrets(),
              containerPreparer.files());
      taskStopper = new TaskStopper(containers);
      executions = new Executions(config.connection(), containers);
      adopt(found);
    } catch (RuntimeException e) {
      containerPreparer.close();
      throw e;
    }
  }

  /** Returns the container of a task, running or ended, from which an image can be created. */
  private Optional<String> container(TaskId task) {
    return containers.state(task).isPresent()
        ? Optional.of(containers.name(task))
        : Optional.empty();
  }

  /** Continues what an earlier server process began. */
  private void adopt(List<StoredTask> found) {
    Map<String, Containers.Stage> stages = found.isEmpty() ? Map.of() : containers.stages();
    for (StoredTask stored : found) {
      DockerTaskDirectory task = places.of(stored.spec().id());
      try {
        Containers.Stage stage = stages.get(task.id().toString());
        if (stage == Containers.Stage.RUNNING) {
          OptionalLong deadline = task.stop().deadline();
          if (deadline.isPresent()) {
            taskStopper.begin(task, deadline.getAsLong());
          }
          executions.endLeftovers(task.id());
        } else if (stage == Containers.Stage.CREATED && task.isToStart()) {
          startAgain(stored, task);
        }
      } catch (IOException | RuntimeException e) {
        // A task that cannot be read must not prevent the server from starting and adopting the
        // others.
        LOG.error("failed to adopt task {}", task.id(), e);
      }
    }
  }

  /**
   * Starts a task whose start was already reported as done, but the earlier server process ended
   * before Docker received it. After a restart of the host the prepared mounts are gone, and the
   * task fails.
   */
  private void startAgain(StoredTask stored, DockerTaskDirectory task) throws IOException {
    taskMonitor.starting(task);
    if (containerPreparer.isPrepared(stored)) {
      Thread.ofVirtual().name("start " + task.id()).start(() -> startWhenPresent(task));
    } else {
      fail(task, false, "the server or the host was stopped while the task was starting");
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<Node> nodes() {
    return nodes;
  }

  private Object lock(TaskId task) {
    return locks.get(Math.floorMod(task.hashCode(), LOCKS));
  }

  @Override
  public String reserve(TaskSpec spec) {
    PlatformFiles.check(spec);
    DockerTaskDirectory task = places.of(spec.id());
    synchronized (lock(spec.id())) {
      try {
        Optional<StoredTask> stored = StoredTask.read(task);
        if (stored.isPresent() && (task.isStarted() || isWhole(stored.get(), spec))) {
          return stored.get().address();
        }
        // Created for another spec, or incomplete, or its container is gone.
        clear(task);
        Networks.Address at = networks.take(spec.id());
        try {
          StoredTask created = containerPreparer.make(spec, task, at);
          known.put(spec.id(), created);
          fresh.add(spec.id());
          return created.address();
        } catch (IOException | RuntimeException e) {
          clear(task);
          networks.release(task.id());
          throw e;
        }
      } catch (IOException e) {
        throw new EngineException("failed to reserve the task: " + e.getMessage(), e);
      }
    }
  }

  private boolean isWhole(StoredTask stored, TaskSpec spec) {
    return stored.spec().equals(spec)
        && (fresh.contains(spec.id()) || containers.stage(spec.id()) != Containers.Stage.MISSING);
  }

  @Override
  public void start(TaskId id, TaskStart late) {
    DockerTaskDirectory task = places.of(id);
    try {
      StoredTask stored = reserved(task);
      containerPreparer.check(stored, late);
      synchronized (lock(id)) {
        if (taskMonitor.hasSeenEnd(task) || task.stop().isSet() || !mayStart(stored, task)) {
          return;
        }
        fresh.remove(id);
        taskMonitor.starting(task);
        try {
          containerPreparer.prepare(stored, task, late);
          task.markStarted();
        } catch (IOException | RuntimeException e) {
          LOG.warn("failed to start task {}", id, e);
          if (absence().isPresent()) {
            taskMonitor.started(task);
            throw EngineException.passing("the engine does not respond");
          }
          fail(task, e instanceof EngineException refusal && !refusal.isPassing(), e.getMessage());
          return;
        }
      }
      // In the background, because Docker is slow and a job may have many tasks.
      Thread.ofVirtual().name("start " + id).start(() -> startWhenPresent(task));
    } catch (IOException e) {
      throw new EngineException("the task could not be started: " + e.getMessage(), e);
    }
  }

  private boolean mayStart(StoredTask stored, DockerTaskDirectory task) {
    if (taskMonitor.isStarting(task.id())) {
      return false;
    }
    if (fresh.contains(task.id())) {
      return true;
    }
    Containers.Stage stage = containers.stage(task.id());
    if (stage == Containers.Stage.MISSING && !task.isStarted()) {
      // the container was removed externally, and no part of the task has run
      reserve(stored.spec());
      return true;
    }
    return stage == Containers.Stage.CREATED;
  }

  /** Waits while the engine is unavailable, because that is not a failure of the task. */
  private void startWhenPresent(DockerTaskDirectory task) {
    try {
      while (!closed && !startContainer(task)) {
        Thread.sleep(ABSENCE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns false if the engine is unavailable, so that the call must be repeated. */
  private boolean startContainer(DockerTaskDirectory task) {
    synchronized (lock(task.id())) {
      try {
        if (!taskMonitor.hasSeenEnd(task) && task.isReserved()) {
          containers.start(task.id());
        }
      } catch (RuntimeException e) {
        if (absence().isPresent()) {
          return false;
        }
        LOG.warn("failed to start task {}", task.id(), e);
        DockerProblem problem = DockerProblem.of(e);
        fail(task, problem.refusal(), problem.words());
      }
      taskMonitor.started(task);
      return true;
    }
  }

  private void fail(DockerTaskDirectory task, boolean refused, String words) {
    ExitReason reason = refused ? ExitReason.START_REFUSED : ExitReason.START_FAILED;
    TaskEnd end = new TaskEnd(ContainerExit.NEVER_RAN, reason, words, Instant.now());
    try {
      end = taskMonitor.record(task, end);
    } catch (IOException e) {
      LOG.error("failed to record the end of task {}", task.id(), e);
    }
    taskMonitor.started(task);
    taskMonitor.reportEnd(task, end);
  }

  private StoredTask reserved(DockerTaskDirectory task) throws IOException {
    StoredTask stored = known.get(task.id());
    if (stored == null) {
      stored =
          StoredTask.read(task)
              .orElseThrow(() -> new EngineException("task " + task.id() + " is not reserved"));
      known.put(task.id(), stored);
    }
    return stored;
  }

  @Override
  public void stop(TaskId id, Duration grace) {
    DockerTaskDirectory task = places.of(id);
    long deadline = System.nanoTime() + grace.toNanos();
    try {
      if (!task.isReserved() || hasEnded(task)) {
        return;
      }
      // Before the lock, so that a start that waits for the lock does not happen any more.
      task.stop().set(deadline);
      Thread.ofVirtual().name("stop " + id).start(() -> stopStarted(task, deadline));
    } catch (IOException e) {
      throw new EngineException("failed to stop the task: " + e.getMessage(), e);
    }
  }

  /**
   * Checks the container too: an end that was not observed yet must not be mistaken for the result
   * of this stop.
   */
  private boolean hasEnded(DockerTaskDirectory task) throws IOException {
    if (task.end().isPresent()) {
      return true;
    }
    try {
      return taskMonitor.look(task).flatMap(TaskObservation::end).isPresent();
    } catch (EngineException e) {
      LOG.debug("failed to check whether task {} has ended", task.id(), e);
      return false;
    }
  }

  /** Retries until the engine has accepted the stop, because it may be unavailable for a while. */
  private void stopStarted(DockerTaskDirectory task, long deadline) {
    try {
      while (!closed && !requestStop(task, deadline)) {
        Thread.sleep(RETRY_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Requests the stop. Waits for a start in progress, because a container that does not run yet
   * cannot be signaled.
   */
  private boolean requestStop(DockerTaskDirectory task, long deadline) {
    try {
      synchronized (lock(task.id())) {
        if (!task.isReserved()) {
          return true;
        }
        Containers.Stage stage = containers.stage(task.id());
        if (stage == Containers.Stage.CREATED || !task.isStarted()) {
          TaskEnd end = new TaskEnd(ContainerExit.NEVER_RAN, ExitReason.STOPPED, "", Instant.now());
          taskMonitor.reportEnd(task, taskMonitor.record(task, end));
          return true;
        }
      }
      taskStopper.begin(task, deadline);
      // Shells ignore SIGTERM, so an open shell would prevent the task from ending.
      executions.close(task.id());
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.warn("failed to stop task {}; will retry", task.id(), e);
      return false;
    }
  }

  @Override
  public List<TaskObservation> list() {
    return taskMonitor.list();
  }

  @Override
  public void remove(TaskId id) {
    synchronized (lock(id)) {
      try {
        clear(places.of(id));
        networks.release(id);
      } catch (IOException e) {
        throw new EngineException("the task could not be removed: " + e.getMessage(), e);
      }
    }
  }

  /** Deletes the record last, so that the rest can be found by it after a crash. */
  private void clear(DockerTaskDirectory task) throws IOException {
    fresh.remove(task.id());
    known.remove(task.id());
    taskMonitor.forget(task.id());
    if (Files.exists(task.path())) {
      executions.forget(task.id());
      containers.remove(task.id());
      containerPreparer.remove(task);
    }
  }

  @Override
  public void watch(Consumer<TaskObservation> observer) {
    taskMonitor.watch(observer);
  }

  @Override
  public LogChunk follow(TaskId id, LogStream stream, String cursor) {
    DockerTaskDirectory task = places.of(id);
    try {
      Path file = reserved(task).spec().logDirectory().resolve(stream.fileName());
      // Checked before reading, so that the log of an ended task is read completely.
      boolean ended = taskMonitor.hasSeenEnd(task);
      return LogFiles.read(file, cursor, ended);
    } catch (IOException e) {
      throw new EngineException("failed to read the log: " + e.getMessage(), e);
    }
  }

  @Override
  public Execution exec(TaskId id, ExecRequest request) {
    DockerTaskDirectory task = places.of(id);
    if (!task.isStarted() || task.stop().isSet()) {
      throw new EngineException("the task is not running");
    }
    taskMonitor.awaitStarted(id);
    Execution execution = executions.exec(id, request);
    if (task.stop().isSet()) {
      execution.close(); // a concurrent stop may have missed this command
      throw new EngineException("the task is not running");
    }
    return execution;
  }

  @Override
  public Optional<Usage> usage(TaskId id) {
    return containers.state(id).flatMap(Consumption::of);
  }

  @Override
  public Optional<ImageStore> images() {
    return Optional.of(images);
  }

  @Override
  public Optional<Message> absence() {
    return DockerPing.failure(socket)
        .map(why -> Message.of("wait.engine-absent", "engine", name).with("detail", why));
  }

  @Override
  public Optional<String> machineAddress() {
    return machineAddress;
  }

  @Override
  public void openToServer(Path tree) {
    try {
      containerPreparer.root().openTree(tree);
    } catch (IOException e) {
      throw new EngineException("failed to access the files: " + e.getMessage(), e);
    }
  }

  @Override
  public void giveToServer(Path tree) {
    try {
      containerPreparer.root().giveTree(tree);
    } catch (IOException e) {
      throw new EngineException("failed to access the files: " + e.getMessage(), e);
    }
  }

  @Override
  public boolean isPortFree(String node, int port) {
    return Ports.isFree(port);
  }

  /** Leaves tasks running and the caller's connection open. */
  @Override
  public void close() {
    closed = true;
    executions.close();
    taskStopper.close();
    taskMonitor.close();
    networks.close();
    containerPreparer.close();
  }
}
