package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.linux.DescriptorPoller;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine's part of the data directory, and the kernel features available on this host.
 *
 * @param limits empty if no control groups are available
 */
record EngineEnvironment(
    Path data,
    HostTools tools,
    Optional<ControlGroups> limits,
    Supervisors supervisors,
    Trash trash,
    Sandbox sandbox)
    implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EngineEnvironment.class);
  private static final String TASKS = "tasks";
  private static final String TRASH = "trash";

  /** Selects the sandbox. */
  interface Choice {
    Sandbox choose(
        Path data,
        ProcessEngineConfig config,
        HostTools tools,
        SupervisorLauncher supervisorLauncher)
        throws IOException;
  }

  static EngineEnvironment open(ProcessEngineConfig config, Choice choice) {
    try {
      HostTools tools = HostTools.find();
      Path data = Files.createDirectories(config.dataDirectory()).toRealPath();
      for (String part : List.of(TASKS, "bin", TRASH, "mounts", "layers")) {
        create(data.resolve(part));
      }
      DescriptorPoller.begin();
      Trash trash = new Trash(data.resolve(TRASH));
      SupervisorLauncher supervisorLauncher =
          new SupervisorLauncher(Scripts.unpack("supervise.sh", data.resolve("bin")), tools);
      return new EngineEnvironment(
          data,
          tools,
          ControlGroups.find(MountTable.ofThisProcess(), label(data)),
          Supervisors.ofThisBoot(),
          trash,
          choice.choose(data, config, tools, supervisorLauncher));
    } catch (IOException e) {
      throw new EngineException("this host cannot run tasks: " + e.getMessage(), e);
    }
  }

  private static void create(Path directory) throws IOException {
    Files.createDirectories(directory);
    Linux.changeMode(directory.toString(), 0700);
    if (directory.endsWith(TASKS)) {
      Linux.spread(directory);
    }
  }

  /** Creates the directories of tasks again if an administrator has deleted them. */
  void ensureDirectories() throws IOException {
    for (String part : List.of(TASKS, TRASH)) {
      if (!Files.isDirectory(data.resolve(part))) {
        LOG.warn("{} is missing and created again", data.resolve(part));
        create(data.resolve(part));
      }
    }
  }

  /** Returns a label that identifies this data directory where several servers share a resource. */
  static String label(Path data) {
    return "%08x".formatted(data.toString().hashCode());
  }

  /**
   * Returns the directories of all tasks, including incompletely created ones. Other names, such as
   * {@code lost+found}, are skipped.
   */
  List<TaskDirectory> directories() {
    return names().stream().flatMap(name -> id(name).stream()).map(this::task).toList();
  }

  /** Logs the names in the directory of tasks that do not belong to a task; called at the start. */
  void warnOfForeignNames() {
    for (String name : names()) {
      if (id(name).isEmpty()) {
        LOG.warn("{} does not belong to a task and is ignored", tasks().resolve(name));
      }
    }
  }

  private List<String> names() {
    List<String> all = new ArrayList<>();
    try (var directories = Files.newDirectoryStream(tasks())) {
      directories.forEach(directory -> all.add(directory.getFileName().toString()));
    } catch (NoSuchFileException e) {
      return List.of(); // created again by the next reservation
    } catch (IOException | DirectoryIteratorException e) {
      throw new EngineException("failed to list the tasks: " + e.getMessage(), e);
    }
    return all;
  }

  /** Returns empty if this is not the name of a task. */
  static Optional<TaskId> id(String name) {
    try {
      return Optional.of(TaskId.parse(name));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  Path tasks() {
    return data.resolve(TASKS);
  }

  TaskDirectory task(TaskId id) {
    return new TaskDirectory(id, tasks().resolve(id.toString()), data.resolve("mounts"));
  }

  /** Returns the directories of the task's control groups. */
  List<Path> groups(TaskId id) {
    return limits.map(groups -> groups.of(id.toString())).orElse(List.of());
  }

  @Override
  public void close() {
    sandbox.close();
  }
}
