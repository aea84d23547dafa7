package dev.trainyard.engine.process;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.LogChunk;
import dev.trainyard.engine.LogStream;
import dev.trainyard.engine.TaskObservation;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.TaskStart;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.Node;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs each task as processes of this machine in namespaces of its own, on a copy-on-write view of
 * the machine's file system. For a server run as root. What is known of tasks is on the disk, so
 * that a server started anew finds what goes on.
 */
public final class ProcessEngine implements Engine {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessEngine.class);

  private final Workplace workplace;
  private final List<Node> nodes;
  private final Observations observations;
  private final Stops stops;
  private final Map<TaskId, StoredSpec> specs = new ConcurrentHashMap<>();

  /**
   * @throws EngineException if this machine can't do it, with the remedy
   */
  public ProcessEngine(ProcessEngineConfig config) {
    workplace = Workplace.open(config);
    boolean limited = workplace.limits().isPresent();
    nodes = List.of(ThisMachine.describe(config, workplace.sandbox().isolation(limited)));
    observations = new Observations(workplace);
    stops = new Stops(workplace, observations);
    for (TaskDirectory task : observations.directories()) {
      adopt(task);
    }
  }

  private void adopt(TaskDirectory task) {
    try {
      observations.adopt(task);
      stops.adopt(task);
    } catch (IOException e) {
      LOG.error("task {} can't be looked after", task.id(), e);
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
    Reservation.check(spec);
    workplace.sandbox().check(spec);
    TaskDirectory task = workplace.task(spec.id());
    try {
      Optional<StoredSpec> stored = StoredSpec.read(task);
      if (stored.isPresent() && (task.isClaimed() || stored.get().spec().equals(spec))) {
        return stored.get().address();
      }
      // Left half made by a server that was killed, or made before: the same again.
      Trash.deleteTree(workplace.trash().take(task.path()));
      Reservation.make(spec, task);
      workplace.sandbox().make(spec, task);
      if (workplace.limits().isPresent()) {
        workplace.limits().get().create(spec.id().toString(), spec.resources());
      }
      StoredSpec made = new StoredSpec(spec, "127.0.0.1");
      made.write(task);
      specs.put(spec.id(), made);
      return made.address();
    } catch (IOException e) {
      throw new EngineException("no room could be made for the task: " + e.getMessage(), e);
    }
  }

  @Override
  public void start(TaskId id, TaskStart late) {
    TaskDirectory task = workplace.task(id);
    try {
      TaskSpec spec = reserved(task).spec();
      if (task.isClaimed()) {
        return;
      }
      try {
        prepare(spec, task, late);
        PidFd supervisor = workplace.sandbox().launch(spec, task, workplace.groups(id));
        observations.started(task, supervisor);
      } catch (IOException e) {
        LOG.warn("task {} could not be started", id, e);
        fail(task, e);
      }
    } catch (IOException e) {
      throw new EngineException("the task could not be started: " + e.getMessage(), e);
    }
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

  private static void prepare(TaskSpec spec, TaskDirectory task, TaskStart late)
      throws IOException {
    Map<String, String> environment = new HashMap<>(spec.environment());
    environment.putAll(late.environment());
    environment.putAll(DeviceVariables.of(spec.devices()));
    String start = spec.workingDirectory().isEmpty() ? "/" : spec.workingDirectory();
    String script = RootPlan.PLATFORM_DIRECTORY + "/runtime.d/user.sh";
    String text = LaunchScript.of(environment, start, script);
    Reservation.write(task.platform(), "runtime.d/launch.sh", text);
  }

  private void fail(TaskDirectory task, IOException cause) throws IOException {
    if (task.claim()) {
      task.recordEnd(EndRecord.byPlatform(ExitReason.START_FAILED, cause.getMessage()));
      observations.tellEnd(task);
    }
  }

  @Override
  public void stop(TaskId id, Duration grace) {
    stops.stop(workplace.task(id), grace);
  }

  @Override
  public List<TaskObservation> list() {
    return observations.directories().stream()
        .flatMap(task -> observations.look(task).stream())
        .toList();
  }

  @Override
  public void remove(TaskId id) {
    TaskDirectory task = workplace.task(id);
    try {
      stops.kill(task);
      if (workplace.limits().isPresent()) {
        workplace.limits().get().remove(id.toString());
      }
      Trash.deleteTree(workplace.trash().take(task.path()));
      specs.remove(id);
    } catch (IOException e) {
      throw new EngineException("the task could not be removed: " + e.getMessage(), e);
    }
  }

  @Override
  public LogChunk follow(TaskId id, LogStream stream, String cursor) {
    throw new EngineException("not yet");
  }

  @Override
  public void watch(Consumer<TaskObservation> observer) {
    observations.watch(observer);
  }

  @Override
  public List<Message> notices(JobSpec job) {
    return job.image().isEmpty()
        ? List.of()
        : List.of(Message.of("notice.image-unused", "image", job.image()));
  }

  @Override
  public void close() {
    stops.close();
    observations.close();
    workplace.close();
  }
}
