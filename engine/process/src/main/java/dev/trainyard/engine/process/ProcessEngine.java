package dev.trainyard.engine.process;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.ExecRequest;
import dev.trainyard.engine.Execution;
import dev.trainyard.engine.LogChunk;
import dev.trainyard.engine.LogStream;
import dev.trainyard.engine.TaskObservation;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.TaskStart;
import dev.trainyard.engine.Usage;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.linux.DeduplicatedFiles;
import dev.trainyard.engine.linux.HostsFile;
import dev.trainyard.engine.linux.LocalNode;
import dev.trainyard.engine.linux.LogFiles;
import dev.trainyard.engine.linux.PidFd;
import dev.trainyard.engine.linux.PlatformFiles;
import dev.trainyard.engine.linux.Ports;
import dev.trainyard.model.Capability;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.Node;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs each task as host processes in separate namespaces, on a copy-on-write view of the host's
 * file system; see {@link Sandboxes}. The state of tasks is stored on disk, so that a restarted
 * server can adopt running tasks.
 */
public final class ProcessEngine implements Engine {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessEngine.class);

  private final DeduplicatedFiles deduplicatedFiles = new DeduplicatedFiles();
  private final EngineEnvironment engineEnvironment;
  private final LocalNode.Description description;
  private final TaskMonitor taskMonitor;
  private final TaskStopper taskStopper;
  private final Optional<MemoryLimitEnforcer> memoryLimitEnforcer;
  private final Executions executions;
  private final TaskRemover taskRemover;
  private final Addresses addresses;

  /** Cache of task specs, which are also stored in the task directories. */
  private final Map<TaskId, StoredSpec> specs = new ConcurrentHashMap<>();

  /**
   * Tasks that this engine has started. No task is started twice, because a second supervisor would
   * find the mounts of the first supervisor.
   */
  private final Set<TaskId> launchedTasks = ConcurrentHashMap.newKeySet();

  /**
   * @throws EngineException if this host cannot run tasks, with the remedy
   */
  public ProcessEngine(ProcessEngineConfig config) {
    this(config, EngineEnvironment.open(config, Sandboxes::select));
  }

  ProcessEngine(ProcessEngineConfig config, EngineEnvironment environment) {
    engineEnvironment = environment;
    boolean hasControlGroups = engineEnvironment.controlGroups().isPresent();
    description =
        LocalNode.describe(
            config.capacity(),
            config.toolPath(),
            engineEnvironment.sandbox().isolation(hasControlGroups));
    taskMonitor = new TaskMonitor(engineEnvironment);
    taskStopper = new TaskStopper(engineEnvironment, taskMonitor);
    memoryLimitEnforcer =
        hasControlGroups ? Optional.empty() : Optional.of(new MemoryLimitEnforcer(taskStopper));
    executions = new Executions(engineEnvironment);
    taskRemover = new TaskRemover(engineEnvironment);
    taskRemover.cleanUpLeftovers();
    addresses = new Addresses(engineEnvironment.data().hashCode());
    for (TaskDirectory task : engineEnvironment.directories()) {
      adopt(task);
    }
    engineEnvironment.sandbox().releaseAllExcept(this::mayRun);
  }

  private boolean mayRun(TaskId id) {
    TaskDirectory task = engineEnvironment.task(id);
    try {
      return task.isReserved() && !task.hasEnded();
    } catch (IOException e) {
      return true;
    }
  }

  private void adopt(TaskDirectory task) {
    try {
      StoredSpec stored = requireStoredSpec(task);
      addresses.markUsed(stored.address());
      if (engineEnvironment.controlGroups().isPresent() && !task.isClaimed()) {
        // If the host was restarted after the reservation, the task's control groups no longer
        // exist.
        engineEnvironment
            .controlGroups()
            .get()
            .create(task.id().toString(), stored.spec().resources());
      }
      taskMonitor.adopt(task);
      taskStopper.adopt(task);
      watchMemory(task, requireStoredSpec(task).spec());
      executions.adopt(task);
    } catch (IOException | RuntimeException e) {
      // A task that cannot be read must not prevent the server from starting and adopting the
      // others.
      LOG.error("failed to adopt task {}", task.id(), e);
    }
  }

  @Override
  public String name() {
    return "process";
  }

  @Override
  public List<Node> nodes() {
    return List.of(description.node());
  }

  @Override
  public List<Message> warnings() {
    return description.warnings();
  }

  @Override
  public Optional<Message> missingSandbox() {
    return engineEnvironment.sandbox().missingReason();
  }

  @Override
  public String reserve(TaskSpec spec) {
    if (!spec.rights().capabilities().isEmpty()) {
      throw new EngineException("the process engine does not support capabilities");
    }
    PlatformFiles.check(spec);
    engineEnvironment.sandbox().check(spec);
    TaskDirectory task = engineEnvironment.task(spec.id());
    try {
      Optional<StoredSpec> stored = StoredSpec.read(task);
      if (stored.isPresent() && (task.isClaimed() || stored.get().spec().equals(spec))) {
        return stored.get().address();
      }
      if (stored.isPresent()) {
        remove(spec.id()); // the task was created earlier for another spec
      }
      taskRemover.awaitRemoval(spec.id());
      engineEnvironment.ensureDirectories();
      String address = addresses.allocate();
      try {
        create(new StoredSpec(spec, address), task);
      } catch (IOException | EngineException e) {
        addresses.release(address);
        taskRemover.remove(task);
        throw e;
      }
      return address;
    } catch (IOException e) {
      throw new EngineException("failed to reserve the task: " + e.getMessage(), e);
    }
  }

  @Override
  public void prepareVolume(Volume volume, int idRange) {
    try {
      engineEnvironment.sandbox().prepareVolume(volume, idRange);
    } catch (IOException e) {
      throw new EngineException("failed to prepare the volume: " + e.getMessage(), e);
    }
  }

  private void create(StoredSpec stored, TaskDirectory task) throws IOException {
    TaskSpec spec = stored.spec();
    Reservation.create(spec, task);
    engineEnvironment.sandbox().create(spec, task);
    ExecChannel.create(task, engineEnvironment.sandbox().taskReceivesCommands());
    if (engineEnvironment.controlGroups().isPresent()) {
      engineEnvironment.controlGroups().get().create(spec.id().toString(), spec.resources());
    }
    stored.write(task);
    specs.put(spec.id(), stored);
  }

  @Override
  public void start(TaskId id, TaskStart taskStart) {
    TaskDirectory task = engineEnvironment.task(id);
    try {
      StoredSpec stored = requireStoredSpec(task);
      TaskSpec spec = stored.spec();
      String hosts = HostsFile.of(spec.hostName(), stored.address(), taskStart.hosts());
      if (task.isClaimed() || !launchedTasks.add(id)) {
        return;
      }
      try {
        prepare(spec, task, taskStart);
        PidFd supervisor =
            engineEnvironment
                .sandbox()
                .launch(
                    spec,
                    task,
                    engineEnvironment.controlGroupDirectories(id),
                    hosts,
                    taskStart.secrets());
        taskMonitor.onStarted(task, supervisor);
        watchMemory(task, spec);
      } catch (IOException e) {
        LOG.warn("failed to start task {}", id, e);
        fail(task, e);
      }
    } catch (IOException e) {
      throw new EngineException("the task could not be started: " + e.getMessage(), e);
    }
  }

  private void watchMemory(TaskDirectory task, TaskSpec spec) {
    memoryLimitEnforcer.ifPresent(
        enforcer -> enforcer.enforce(task, spec.resources().memory().bytes()));
  }

  private StoredSpec requireStoredSpec(TaskDirectory task) throws IOException {
    StoredSpec storedSpec = specs.get(task.id());
    if (storedSpec == null) {
      storedSpec =
          StoredSpec.read(task)
              .orElseThrow(() -> new EngineException("task " + task.id() + " is not reserved"));
      specs.put(task.id(), storedSpec);
    }
    return storedSpec;
  }

  private void prepare(TaskSpec spec, TaskDirectory task, TaskStart taskStart) throws IOException {
    Map<String, String> environment = HostVariables.of(spec);
    environment.putAll(taskStart.environment());
    environment.putAll(DeviceVariables.of(spec.devices()));
    engineEnvironment.sandbox().prepare(spec, task, environment, taskStart.secrets());
    PlatformFiles.checkFiles(taskStart.files());
    for (var file : taskStart.files().entrySet()) {
      deduplicatedFiles.write(task.platform(), file.getKey(), file.getValue());
    }
  }

  private void fail(TaskDirectory task, IOException cause) throws IOException {
    if (task.claim()) {
      ExitReason reason =
          cause instanceof VolumeRefusedException
              ? ExitReason.START_REFUSED
              : ExitReason.START_FAILED;
      task.recordEnd(EndRecord.withoutExitCode(reason, cause.getMessage()));
      taskMonitor.reportEnd(task);
    }
    engineEnvironment.sandbox().release(task.id());
  }

  @Override
  public void stop(TaskId id, Duration grace) {
    taskStopper.stop(engineEnvironment.task(id), grace);
    // Shells ignore SIGTERM, so an open shell would prevent the task from ending. The shells are
    // closed after the stop has been recorded, so that no new shell can be opened.
    executions.close(id);
  }

  @Override
  public Execution exec(TaskId id, ExecRequest request) {
    return executions.exec(engineEnvironment.task(id), request);
  }

  @Override
  public List<TaskObservation> list() {
    return engineEnvironment.directories().stream()
        .flatMap(task -> taskMonitor.observe(task).stream())
        .toList();
  }

  @Override
  public void remove(TaskId id) {
    TaskDirectory task = engineEnvironment.task(id);
    try {
      taskStopper.kill(task);
      StoredSpec stored = specs.remove(id);
      engineEnvironment.sandbox().release(id);
      taskRemover.remove(task);
      launchedTasks.remove(id);
      if (stored != null) {
        addresses.release(stored.address());
      }
    } catch (IOException e) {
      throw new EngineException("the task could not be removed: " + e.getMessage(), e);
    }
  }

  @Override
  public LogChunk follow(TaskId id, LogStream stream, String cursor) {
    TaskDirectory task = engineEnvironment.task(id);
    try {
      Path file = requireStoredSpec(task).spec().logDirectory().resolve(stream.fileName());
      // This is checked before reading, so that the log of an ended task is read completely.
      boolean ended = task.hasEnded();
      return LogFiles.read(file, cursor, ended);
    } catch (IOException e) {
      throw new EngineException("failed to read the log: " + e.getMessage(), e);
    }
  }

  @Override
  public Optional<Usage> usage(TaskId id) {
    TaskDirectory task = engineEnvironment.task(id);
    try {
      return task.supervisor()
          .filter(engineEnvironment.supervisors()::isAlive)
          .map(
              supervisor ->
                  TaskUsage.of(supervisor, engineEnvironment.controlGroupDirectories(id)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  @Override
  public boolean isPortFree(String node, int port) {
    return Ports.isFree(port);
  }

  @Override
  public boolean releasePort(int port) {
    return new PortReleaser(engineEnvironment, taskStopper, taskMonitor).release(port);
  }

  @Override
  public void watch(Consumer<TaskObservation> observer) {
    taskMonitor.watch(observer);
  }

  @Override
  public Optional<Message> refusal(String user, JobSpec job) {
    return job.extras().capabilities().isEmpty()
        ? engineEnvironment.sandbox().refusal(user)
        : Optional.of(
            Message.of(
                "refusal.capabilities",
                "capabilities",
                Capability.names(job.extras().capabilities())));
  }

  @Override
  public List<Message> notices(JobSpec job) {
    List<Message> notices = new ArrayList<>(engineEnvironment.sandbox().notices());
    if (!job.image().isEmpty()) {
      notices.add(Message.of("notice.image-unused", "image", job.image()));
    }
    return notices;
  }

  @Override
  public void close() {
    executions.close();
    memoryLimitEnforcer.ifPresent(MemoryLimitEnforcer::close);
    taskStopper.close();
    taskMonitor.close();
    taskRemover.close();
    engineEnvironment.close();
  }
}
