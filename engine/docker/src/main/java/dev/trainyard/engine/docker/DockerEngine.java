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
import dev.trainyard.engine.Volume;
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
 * Runs each task in a container of a Docker engine on this host, or of Podman instead. {@link
 * #reserve} creates the container; {@link #start} starts it. The state of a task is stored in its
 * directory and in its container, so that a restarted server finds both.
 */
public final class DockerEngine implements Engine {
  private static final Logger LOG = LoggerFactory.getLogger(DockerEngine.class);

  /** Pause between checks of an unavailable engine. */
  private static final int ABSENCE_CHECK_MILLIS = 500;

  private static final int LOCK_COUNT = 1024;

  private static final long RETRY_MILLIS = 1_000;

  private final String name;
  private final ContainerPreparer containerPreparer;
  private final Optional<String> hostAddress;
  private final ImageStore images;
  private final DockerTaskDirectories taskDirectories;
  private final Containers containers;
  private final Path socket;
  private final Networks networks;
  private final TaskMonitor taskMonitor;
  private final TaskStopper taskStopper;
  private final Executions executions;
  private volatile boolean closed;

  /** Cache of task records, which are also stored in the task directories. */
  private final Map<TaskId, StoredTask> storedTasks = new ConcurrentHashMap<>();

  /**
   * Locks of tasks; there are enough locks that two tasks rarely share one. No lock is held during
   * a grace period.
   */
  private final List<Object> locks = Stream.generate(Object::new).limit(LOCK_COUNT).toList();

  /** Tasks whose containers this engine created and has not started. */
  private final Set<TaskId> unstartedTasks = ConcurrentHashMap.newKeySet();

  /**
   * @throws EngineException if this host cannot run tasks; the message contains the remedy
   */
  public DockerEngine(DockerEngineConfig config) {
    DockerClient docker = config.connection().client();
    name = config.connection().engine();
    socket = config.connection().socket();
    containerPreparer = ContainerPreparer.open(config);
    try {
      hostAddress = HostAddress.of(config);
      images = new DockerImages(config.connection(), this::container);
      taskDirectories = containerPreparer.taskDirectories();
      containers = new Containers(docker, containerPreparer.labels());
      networks = new Networks(config.connection(), containerPreparer.labels(), config.networks());
      TaskAdopter taskAdopter = new TaskAdopter(containerPreparer, containers);
      List<StoredTask> adoptedTasks = taskAdopter.clearLeftovers();
      adoptedTasks.forEach(task -> storedTasks.put(task.spec().id(), task));
      networks.adopt(adoptedTasks);
      taskMonitor =
          new TaskMonitor(
              docker,
              containerPreparer.labels(),
              taskDirectories,
              containers,
              containerPreparer.secretDirectory(),
              containerPreparer.taskFiles());
      taskStopper = new TaskStopper(containers);
      executions = new Executions(config.connection(), containers);
      adopt(adoptedTasks);
    } catch (RuntimeException e) {
      containerPreparer.close();
      throw e;
    }
  }

  /** Returns the container of a task, running or ended, from which an image can be created. */
  private Optional<String> container(TaskId task) {
    return containers.state(task).map(_ -> containers.name(task));
  }

  /** Continues the starts and stops that an earlier server process began. */
  private void adopt(List<StoredTask> adoptedTasks) {
    Map<String, Containers.Stage> stages = adoptedTasks.isEmpty() ? Map.of() : containers.stages();
    for (StoredTask stored : adoptedTasks) {
      DockerTaskDirectory task = taskDirectories.of(stored.spec().id());
      try {
        Containers.Stage stage = stages.get(task.id().toString());
        if (stage == Containers.Stage.RUNNING) {
          OptionalLong deadline = task.stopMark().deadline();
          if (deadline.isPresent()) {
            taskStopper.stop(task, deadline.getAsLong());
          }
          executions.killLeftovers(task.id());
        } else if (stage == Containers.Stage.CREATED && task.mustBeStarted()) {
          resumeStart(stored, task);
        }
      } catch (IOException | RuntimeException e) {
        // A task that cannot be read must not prevent the adoption of the other tasks.
        LOG.error("failed to adopt task {}", task.id(), e);
      }
    }
  }

  /**
   * Starts a task for which an earlier server process accepted the start but ended before it sent
   * the start to Docker. After a restart of the host the prepared mounts no longer exist, and the
   * task fails.
   */
  private void resumeStart(StoredTask stored, DockerTaskDirectory task) throws IOException {
    taskMonitor.beginStart(task);
    if (containerPreparer.isPrepared(stored)) {
      Thread.ofVirtual().name("start " + task.id()).start(() -> startWhenAvailable(task));
    } else {
      failStart(task, false, "the server or the host was stopped while the task was starting");
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<Node> nodes() {
    return List.of(containerPreparer.node());
  }

  @Override
  public List<Message> warnings() {
    return containerPreparer.warnings();
  }

  private Object lock(TaskId task) {
    return locks.get(Math.floorMod(task.hashCode(), LOCK_COUNT));
  }

  @Override
  public void prepareVolume(Volume volume, int idRange) {
    containerPreparer.prepareVolume(volume, idRange);
  }

  @Override
  public String reserve(TaskSpec spec) {
    PlatformFiles.check(spec);
    DockerTaskDirectory task = taskDirectories.of(spec.id());
    synchronized (lock(spec.id())) {
      try {
        Optional<StoredTask> stored = StoredTask.read(task);
        if (stored.isPresent() && (task.isStarted() || isComplete(stored.get(), spec))) {
          return stored.get().address();
        }
        // The directory is incomplete or for another spec, or its container no longer exists.
        cleanUp(task);
        Networks.Address taskAddress = networks.allocateAddress(spec.id());
        try {
          StoredTask created = containerPreparer.create(spec, task, taskAddress);
          storedTasks.put(spec.id(), created);
          unstartedTasks.add(spec.id());
          return created.address();
        } catch (IOException | RuntimeException e) {
          cleanUp(task);
          networks.release(task.id());
          throw e;
        }
      } catch (IOException e) {
        throw new EngineException("failed to reserve the task: " + e.getMessage(), e);
      }
    }
  }

  private boolean isComplete(StoredTask stored, TaskSpec spec) {
    return stored.spec().equals(spec)
        && (unstartedTasks.contains(spec.id())
            || containers.stage(spec.id()) != Containers.Stage.MISSING);
  }

  @Override
  public void start(TaskId id, TaskStart taskStart) {
    DockerTaskDirectory task = taskDirectories.of(id);
    try {
      StoredTask stored = requireStored(task);
      containerPreparer.check(stored, taskStart);
      synchronized (lock(id)) {
        if (taskMonitor.isEndKnown(task) || task.stopMark().isSet() || !mayStart(stored, task)) {
          return;
        }
        unstartedTasks.remove(id);
        taskMonitor.beginStart(task);
        try {
          containerPreparer.prepare(stored, task, taskStart);
          task.markStarted();
        } catch (IOException | RuntimeException e) {
          LOG.warn("failed to start task {}", id, e);
          if (outage().isPresent()) {
            taskMonitor.finishStart(task);
            throw EngineException.transientFailure("the engine does not respond");
          }
          failStart(
              task, e instanceof EngineException failure && !failure.isTransient(), e.getMessage());
          return;
        }
      }
      // The container is started in the background: Docker is slow, and a job may have many tasks.
      Thread.ofVirtual().name("start " + id).start(() -> startWhenAvailable(task));
    } catch (IOException e) {
      throw new EngineException("the task could not be started: " + e.getMessage(), e);
    }
  }

  private boolean mayStart(StoredTask stored, DockerTaskDirectory task) {
    if (taskMonitor.isStarting(task.id())) {
      return false;
    }
    if (unstartedTasks.contains(task.id())) {
      return true;
    }
    Containers.Stage stage = containers.stage(task.id());
    if (stage == Containers.Stage.MISSING && !task.isStarted()) {
      // The container was removed externally, and no part of the task has run.
      reserve(stored.spec());
      return true;
    }
    return stage == Containers.Stage.CREATED;
  }

  /** Starts a container; an unavailable engine delays the start instead of failing the task. */
  private void startWhenAvailable(DockerTaskDirectory task) {
    try {
      while (!closed && !startContainer(task)) {
        Thread.sleep(ABSENCE_CHECK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns false if the engine is unavailable, so that the call must be repeated. */
  private boolean startContainer(DockerTaskDirectory task) {
    synchronized (lock(task.id())) {
      try {
        if (!taskMonitor.isEndKnown(task) && task.isReserved()) {
          containers.start(task.id());
        }
      } catch (RuntimeException e) {
        if (outage().isPresent()) {
          return false;
        }
        LOG.warn("failed to start task {}", task.id(), e);
        DockerProblem problem = DockerProblem.of(e);
        failStart(task, problem.permanent(), problem.message());
      }
      taskMonitor.finishStart(task);
      return true;
    }
  }

  private void failStart(DockerTaskDirectory task, boolean permanent, String detail) {
    ExitReason reason = permanent ? ExitReason.START_REFUSED : ExitReason.START_FAILED;
    TaskEnd end = new TaskEnd(ContainerExit.EXIT_CODE_NOT_RUN, reason, detail, Instant.now());
    try {
      end = taskMonitor.recordEnd(task, end);
    } catch (IOException e) {
      LOG.error("failed to record the end of task {}", task.id(), e);
    }
    taskMonitor.finishStart(task);
    taskMonitor.reportEnd(task, end);
  }

  private StoredTask requireStored(DockerTaskDirectory task) throws IOException {
    StoredTask stored = storedTasks.get(task.id());
    if (stored == null) {
      stored =
          StoredTask.read(task)
              .orElseThrow(() -> new EngineException("task " + task.id() + " is not reserved"));
      storedTasks.put(task.id(), stored);
    }
    return stored;
  }

  @Override
  public void stop(TaskId id, Duration grace) {
    DockerTaskDirectory task = taskDirectories.of(id);
    long deadline = System.nanoTime() + grace.toNanos();
    try {
      if (!task.isReserved() || hasEnded(task)) {
        return;
      }
      // The mark is set before the lock is acquired, so that a waiting start is skipped.
      task.stopMark().set(deadline);
      Thread.ofVirtual().name("stop " + id).start(() -> stopStarted(task, deadline));
    } catch (IOException e) {
      throw new EngineException("failed to stop the task: " + e.getMessage(), e);
    }
  }

  /**
   * Returns whether the task has ended. Checks the container too, because an end that was not
   * observed yet must not be mistaken for the result of this stop.
   */
  private boolean hasEnded(DockerTaskDirectory task) throws IOException {
    if (task.end().isPresent()) {
      return true;
    }
    try {
      return taskMonitor.observe(task).flatMap(TaskObservation::end).isPresent();
    } catch (EngineException e) {
      LOG.debug("failed to check whether task {} has ended", task.id(), e);
      return false;
    }
  }

  /** Stops a task; retries while the engine is unavailable. */
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
   * Requests the stop; returns false if it must be retried. Waits for a start in progress, because
   * a container that does not run yet cannot be signaled.
   */
  private boolean requestStop(DockerTaskDirectory task, long deadline) {
    try {
      synchronized (lock(task.id())) {
        if (!task.isReserved()) {
          return true;
        }
        Containers.Stage stage = containers.stage(task.id());
        if (stage == Containers.Stage.CREATED || !task.isStarted()) {
          TaskEnd end =
              new TaskEnd(ContainerExit.EXIT_CODE_NOT_RUN, ExitReason.STOPPED, "", Instant.now());
          taskMonitor.reportEnd(task, taskMonitor.recordEnd(task, end));
          return true;
        }
      }
      taskStopper.stop(task, deadline);
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
        cleanUp(taskDirectories.of(id));
        networks.release(id);
      } catch (IOException e) {
        throw new EngineException("the task could not be removed: " + e.getMessage(), e);
      }
    }
  }

  /** Removes a task; deletes the record last, so that the rest can be found after a crash. */
  private void cleanUp(DockerTaskDirectory task) throws IOException {
    unstartedTasks.remove(task.id());
    storedTasks.remove(task.id());
    taskMonitor.forget(task.id());
    if (Files.exists(task.path())) {
      executions.abandonAll(task.id());
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
    DockerTaskDirectory task = taskDirectories.of(id);
    try {
      Path file = requireStored(task).spec().logDirectory().resolve(stream.fileName());
      // This is checked before reading, so that the log of an ended task is read completely.
      boolean ended = taskMonitor.isEndKnown(task);
      return LogFiles.read(file, cursor, ended);
    } catch (IOException e) {
      throw new EngineException("failed to read the log: " + e.getMessage(), e);
    }
  }

  @Override
  public Execution exec(TaskId id, ExecRequest request) {
    DockerTaskDirectory task = taskDirectories.of(id);
    if (!task.isStarted() || task.stopMark().isSet()) {
      throw new EngineException("the task is not running");
    }
    taskMonitor.awaitStarted(id);
    Execution execution = executions.exec(id, request);
    if (task.stopMark().isSet()) {
      execution.close(); // because a concurrent stop may have missed this command
      throw new EngineException("the task is not running");
    }
    return execution;
  }

  @Override
  public Optional<Usage> usage(TaskId id) {
    return containers.state(id).flatMap(ContainerUsage::of);
  }

  @Override
  public Optional<ImageStore> images() {
    return Optional.of(images);
  }

  @Override
  public Optional<Message> outage() {
    return DockerPing.failure(socket)
        .map(reason -> Message.of("wait.engine-absent", "engine", name).with("detail", reason));
  }

  @Override
  public Optional<String> hostAddress() {
    return hostAddress;
  }

  @Override
  public void makeReadableByServer(Path tree) {
    containerPreparer.makeTreeReadable(tree);
  }

  @Override
  public void deleteTree(Path tree) {
    containerPreparer.deleteTree(tree);
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
