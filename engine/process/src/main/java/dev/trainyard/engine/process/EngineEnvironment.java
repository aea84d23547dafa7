package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.linux.DescriptorPoller;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine's part of the data directory, and the kernel features available on this host.
 *
 * @param controlGroups empty if no control groups are available
 */
record EngineEnvironment(
    Path data,
    HostTools tools,
    Optional<ControlGroups> controlGroups,
    Supervisors supervisors,
    Trash trash,
    Sandbox sandbox)
    implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EngineEnvironment.class);

  /** Selects the sandbox for this host. */
  interface SandboxSelector {
    Sandbox select(
        Path data,
        ProcessEngineConfig config,
        HostTools tools,
        SupervisorLauncher supervisorLauncher)
        throws IOException;
  }

  static EngineEnvironment open(ProcessEngineConfig config, SandboxSelector sandboxSelector) {
    try {
      HostTools tools = HostTools.find();
      Path data = Files.createDirectories(config.dataDirectory()).toRealPath();
      for (String name : List.of("tasks", "bin", "trash", "mounts", "layers")) {
        Path directory = Files.createDirectories(data.resolve(name));
        Linux.changeMode(directory.toString(), 0700);
      }
      Linux.spread(data.resolve("tasks"));
      DescriptorPoller.begin();
      Trash trash = new Trash(data.resolve("trash"));
      SupervisorLauncher supervisorLauncher =
          new SupervisorLauncher(Scripts.unpack("supervise.sh", data.resolve("bin")), tools);
      return new EngineEnvironment(
          data,
          tools,
          ControlGroups.find(MountTable.ofThisProcess(), label(data)),
          Supervisors.ofThisBoot(),
          trash,
          sandboxSelector.select(data, config, tools, supervisorLauncher));
    } catch (IOException e) {
      throw new EngineException("this host cannot run tasks: " + e.getMessage(), e);
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
    return names().stream().flatMap(name -> parseTaskId(name).stream()).map(this::task).toList();
  }

  /** Logs the names in the directory of tasks that do not belong to a task; called at the start. */
  void warnOfForeignNames() {
    for (String name : names()) {
      if (parseTaskId(name).isEmpty()) {
        LOG.warn("{} does not belong to a task and is ignored", tasks().resolve(name));
      }
    }
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    try (var directories = Files.newDirectoryStream(tasks())) {
      directories.forEach(directory -> names.add(directory.getFileName().toString()));
    } catch (IOException | DirectoryIteratorException e) {
      throw new EngineException("failed to list the tasks: " + e.getMessage(), e);
    }
    return names;
  }

  /** Parses the name of a task directory; empty if it is not a task ID. */
  static Optional<TaskId> parseTaskId(String name) {
    try {
      return Optional.of(TaskId.parse(name));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  Path tasks() {
    return data.resolve("tasks");
  }

  TaskDirectory task(TaskId id) {
    return new TaskDirectory(id, tasks().resolve(id.toString()), data.resolve("mounts"));
  }

  /** Returns the directories of the task's control groups. */
  List<Path> controlGroupDirectories(TaskId id) {
    return controlGroups.map(groups -> groups.directories(id.toString())).orElse(List.of());
  }

  @Override
  public void close() {
    sandbox.close();
  }
}
