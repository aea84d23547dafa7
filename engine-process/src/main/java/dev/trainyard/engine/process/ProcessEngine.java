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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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

  private static final String LOOPBACK = "127.0.0.1";

  private final Workplace workplace;
  private final List<Node> nodes;
  private final Observations observations;
  private final Stops stops;
  private final Map<TaskId, TaskSpec> specs = new ConcurrentHashMap<>();

  /**
   * @throws EngineException if this machine can't do it, with the remedy
   */
  public ProcessEngine(ProcessEngineConfig config) {
    workplace = Workplace.open(config.dataDirectory());
    nodes = List.of(ThisMachine.describe(config, workplace.limits().isPresent()));
    observations = new Observations(workplace);
    stops = new Stops(workplace);
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
    workplace.reservation().check(spec);
    TaskDirectory task = workplace.task(spec.id());
    try {
      if (task.isClaimed() || task.hasEnded()) {
        return LOOPBACK;
      }
      // Left half made by a server that was killed, or made before: the same again.
      workplace.delete(task.path());
      workplace.reservation().make(spec, task);
      if (workplace.limits().isPresent()) {
        workplace.limits().get().create(spec.id().toString(), spec.resources());
      }
      specs.put(spec.id(), spec);
      return LOOPBACK;
    } catch (IOException e) {
      throw new EngineException("no room could be made for the task: " + e.getMessage(), e);
    }
  }

  @Override
  public void start(TaskId id, TaskStart late) {
    TaskDirectory task = workplace.task(id);
    if (task.isClaimed() || task.hasEnded()) {
      return;
    }
    TaskSpec spec = specs.get(id);
    if (spec == null) {
      throw new EngineException("task " + id + " is not reserved; reserve it again to start it");
    }
    try {
      prepare(spec, task, late.environment());
      Process supervisor = workplace.launcher().launch(spec, task, groups(id));
      observations.started(id);
      var _ = supervisor.onExit().thenRun(() -> observations.supervisorEnded(task));
    } catch (IOException e) {
      LOG.warn("task {} could not be started", id, e);
      fail(task, e);
    }
  }

  private static void prepare(TaskSpec spec, TaskDirectory task, Map<String, String> late)
      throws IOException {
    Map<String, String> environment = new HashMap<>(spec.environment());
    environment.putAll(late);
    environment.putAll(DeviceVariables.of(spec.devices()));
    String script = RootPlan.PLATFORM_DIRECTORY + "/runtime.d/user.sh";
    String text = LaunchScript.of(environment, script);
    Reservation.write(task.platform(), "runtime.d/launch.sh", text);
  }

  private static void fail(TaskDirectory task, IOException cause) {
    try {
      if (task.claim()) {
        task.recordEnd(EndRecord.byPlatform(ExitReason.START_FAILED, cause.getMessage()));
      }
    } catch (IOException e) {
      e.addSuppressed(cause);
      throw new EngineException("the task could not be started: " + cause.getMessage(), e);
    }
  }

  private List<Path> groups(TaskId id) {
    return workplace.limits().map(limits -> limits.of(id.toString())).orElse(List.of());
  }

  @Override
  public void stop(TaskId id, Duration grace) {
    stops.stop(workplace.task(id), grace);
  }

  @Override
  public List<TaskObservation> list() {
    List<TaskObservation> found = new ArrayList<>();
    try (var directories = Files.newDirectoryStream(workplace.tasks())) {
      for (Path directory : directories) {
        TaskId id = TaskId.parse(directory.getFileName().toString());
        Optional<TaskObservation> seen = observations.look(workplace.task(id));
        seen.ifPresent(found::add);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  @Override
  public void remove(TaskId id) {
    TaskDirectory task = workplace.task(id);
    try {
      stops.kill(task);
      if (workplace.limits().isPresent()) {
        workplace.limits().get().remove(id.toString());
      }
      workplace.delete(task.path());
      Files.deleteIfExists(task.end());
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
