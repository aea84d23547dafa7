package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.linux.DescriptorPoller;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.StopMark;
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
  private static final String TASKS = "tasks";
  static final String TRASH = "trash";

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
      for (String name : List.of(TASKS, "bin", TRASH, "mounts", "layers")) {
        createDirectory(data.resolve(name));
      }
      StopMark.createExpired(TaskDirectory.expiredStop(data));
      DescriptorPoller.start();
      Trash trash = new Trash(data.resolve(TRASH));
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

  private static void createDirectory(Path directory) throws IOException {
    Files.createDirectories(directory);
    Linux.changeMode(directory.toString(), 0700);
    if (directory.endsWith(TASKS)) {
      Linux.spreadSubdirectories(directory);
    }
  }

  /**
   * Re-creates the directories {@code tasks} and {@code trash} if an administrator has deleted
   * them.
   */
  void ensureDirectories() throws IOException {
    for (String name : List.of(TASKS, TRASH)) {
      if (!Files.isDirectory(data.resolve(name))) {
        LOG.warn("{} is missing; creating it again", data.resolve(name));
        createDirectory(data.resolve(name));
      }
    }
  }

  /**
   * Returns a label that identifies this data directory in the names of resources that several
   * servers share.
   */
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

  /**
   * Logs a warning for each entry of the directory {@code tasks} that is not a task; called at
   * startup.
   */
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
    } catch (NoSuchFileException e) {
      return List.of(); // the next reservation re-creates the directory
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
    return data.resolve(TASKS);
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
