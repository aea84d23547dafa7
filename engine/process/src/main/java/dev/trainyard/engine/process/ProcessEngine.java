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

  private final DeduplicatedFiles texts = new DeduplicatedFiles();
  private final EngineEnvironment engineEnvironment;
  private final List<Node> nodes;
  private final TaskMonitor taskMonitor;
  private final TaskStopper taskStopper;
  private final Optional<MemoryLimitEnforcer> memory;
  private final Executions executions;
  private final TaskRemover taskRemover;
  private final Addresses addresses;

  /** Cache of the specs of tasks; their directories contain the same. */
  private final Map<TaskId, StoredSpec> specs = new ConcurrentHashMap<>();

  /**
   * Tasks that this engine has started: a second supervisor would find the mounts of the first one.
   */
  private final Set<TaskId> launched = ConcurrentHashMap.newKeySet();

  /**
   * @throws EngineException if this host cannot run tasks, with the remedy
   */
  public ProcessEngine(ProcessEngineConfig config) {
    this(config, EngineEnvironment.open(config, Sandboxes::choose));
  }

  ProcessEngine(ProcessEngineConfig config, EngineEnvironment environment) {
    engineEnvironment = environment;
    boolean limited = engineEnvironment.limits().isPresent();
    nodes =
        List.of(
            LocalNode.describe(
                config.capacity(),
                config.toolPath(),
                engineEnvironment.sandbox().isolation(limited)));
    taskMonitor = new TaskMonitor(engineEnvironment);
    taskStopper = new TaskStopper(engineEnvironment, taskMonitor);
    memory = limited ? Optional.empty() : Optional.of(new MemoryLimitEnforcer(taskStopper));
    executions = new Executions(engineEnvironment);
    taskRemover = new TaskRemover(engineEnvironment);
    taskRemover.clearLeftovers();
    addresses = new Addresses(engineEnvironment.data().hashCode());
    for (TaskDirectory task : engineEnvironment.directories()) {
      adopt(task);
    }
    engineEnvironment.sandbox().forgetAllBut(this::mayRun);
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
      StoredSpec stored = reserved(task);
      addresses.keep(stored.address());
      if (engineEnvironment.limits().isPresent() && !task.isClaimed()) {
        // The host may have been restarted since then, and its control groups are gone.
        engineEnvironment.limits().get().create(task.id().toString(), stored.spec().resources());
      }
      taskMonitor.adopt(task);
      taskStopper.adopt(task);
      watchMemory(task, reserved(task).spec());
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
    return nodes;
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
        remove(spec.id()); // created earlier for another spec
      }
      taskRemover.await(spec.id());
      engineEnvironment.ensureDirectories();
      String address = addresses.take();
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

  private void create(StoredSpec stored, TaskDirectory task) throws IOException {
    TaskSpec spec = stored.spec();
    Reservation.make(spec, task);
    engineEnvironment.sandbox().make(spec, task);
    ExecChannel.make(task, engineEnvironment.sandbox().listensInside());
    if (engineEnvironment.limits().isPresent()) {
      engineEnvironment.limits().get().create(spec.id().toString(), spec.resources());
    }
    stored.write(task);
    specs.put(spec.id(), stored);
  }

  @Override
  public void start(TaskId id, TaskStart late) {
    TaskDirectory task = engineEnvironment.task(id);
    try {
      StoredSpec stored = reserved(task);
      TaskSpec spec = stored.spec();
      String hosts = HostsFile.of(spec.hostName(), stored.address(), late.hosts());
      if (task.isClaimed() || !launched.add(id)) {
        return;
      }
      try {
        prepare(spec, task, late);
        PidFd supervisor =
            engineEnvironment
                .sandbox()
                .launch(spec, task, engineEnvironment.groups(id), hosts, late.secrets());
        taskMonitor.started(task, supervisor);
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
    memory.ifPresent(watch -> watch.follow(task, spec.resources().memory().bytes()));
  }

  private StoredSpec reserved(TaskDirectory task) throws IOException {
    StoredSpec known = specs.get(task.id());
    if (known == null) {
      known =
          StoredSpec.read(task)
              .orElseThrow(() -> new EngineException("task " + task.id() + " is not reserved"));
      specs.put(task.id(), known);
    }
    return known;
  }

  private void prepare(TaskSpec spec, TaskDirectory task, TaskStart late) throws IOException {
    Map<String, String> environment = HostVariables.with(spec);
    environment.putAll(late.environment());
    environment.putAll(DeviceVariables.of(spec.devices()));
    engineEnvironment.sandbox().prepare(spec, task, environment, late.secrets());
    PlatformFiles.checkFiles(late.files());
    for (var file : late.files().entrySet()) {
      texts.write(task.platform(), file.getKey(), file.getValue());
    }
  }

  private void fail(TaskDirectory task, IOException cause) throws IOException {
    if (task.claim()) {
      ExitReason reason =
          cause instanceof VolumeRefusedException
              ? ExitReason.START_REFUSED
              : ExitReason.START_FAILED;
      task.recordEnd(EndRecord.byPlatform(reason, cause.getMessage()));
      taskMonitor.reportEnd(task);
    }
    engineEnvironment.sandbox().forget(task.id());
  }

  @Override
  public void stop(TaskId id, Duration grace) {
    taskStopper.stop(engineEnvironment.task(id), grace);
    // Shells ignore SIGTERM, so an open shell would prevent the task from ending. Closed after the
    // stop is marked, so that no new shell can be opened.
    executions.close(id);
  }

  @Override
  public Execution exec(TaskId id, ExecRequest request) {
    return executions.exec(engineEnvironment.task(id), request);
  }

  @Override
  public List<TaskObservation> list() {
    return engineEnvironment.directories().stream()
        .flatMap(task -> taskMonitor.look(task).stream())
        .toList();
  }

  @Override
  public void remove(TaskId id) {
    TaskDirectory task = engineEnvironment.task(id);
    try {
      taskStopper.kill(task);
      StoredSpec stored = specs.remove(id);
      engineEnvironment.sandbox().forget(id);
      taskRemover.remove(task);
      launched.remove(id);
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
      Path file = reserved(task).spec().logDirectory().resolve(stream.fileName());
      // checked before reading, so that a log of an ended task is read completely
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
          .map(supervisor -> Consumption.of(supervisor, engineEnvironment.groups(id)));
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
    memory.ifPresent(MemoryLimitEnforcer::close);
    taskStopper.close();
    taskMonitor.close();
    taskRemover.close();
    engineEnvironment.close();
  }
}
