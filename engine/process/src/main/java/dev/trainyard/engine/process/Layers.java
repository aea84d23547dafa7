package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.engine.linux.Linux;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Creates the layers that hold a task's changes to the host's file systems. */
final class Layers {
  private final Path dataDirectory;
  private final List<Path> fileSystems;
  private final Set<Path> createdDirectories = ConcurrentHashMap.newKeySet();

  Layers(Path dataDirectory, List<Path> fileSystems) {
    this.dataDirectory = dataDirectory;
    this.fileSystems = fileSystems;
  }

  /** Creates the task's own layers; {@link #commonLayers} creates the layers that tasks share. */
  void create(TaskDirectory task, IdRange ids, Map<String, String> files) throws IOException {
    for (MountStep step : TaskRootPlan.hostFileSteps(fileSystems)) {
      if (step instanceof MountStep.CopyOnWrite view) {
        Files.createDirectory(task.layerDirectory(view.layer(), "work"));
        Path upper = Files.createDirectory(task.layerDirectory(view.layer(), "upper"));
        // The top directory of the layer replaces the host's directory, so the task sees its mode.
        Linux.changeOwner(Linux.AT_FDCWD, upper.toString(), ids.base(), ids.base());
        Linux.changeMode(upper.toString(), 0755);
      }
    }
    for (var file : files.entrySet()) {
      addFile(task, ids, file.getKey(), file.getValue());
    }
  }

  /**
   * Returns the directory that contains, by name, the layers between the host's file systems and
   * the tasks' own layers. These layers hide directories from all tasks with these IDs and contain
   * files that replace files of the host. The directory is created once and never changed
   * afterwards, because running tasks use it; a different resolver configuration gets a different
   * directory.
   */
  Path commonLayers(IdRange ids) throws IOException {
    String resolverConfiguration = readResolverConfiguration();
    Path directory =
        dataDirectory
            .resolve("layers")
            .resolve(
                "%x-%08x".formatted(ids.base(), resolverConfiguration.hashCode()) + hostHash());
    // The directory is checked each time, because an administrator may have deleted it.
    if (!createdDirectories.contains(directory) || !Files.isDirectory(directory)) {
      createCommonLayers(directory, ids, resolverConfiguration);
      createdDirectories.add(directory);
    }
    return directory;
  }

  /**
   * Returns a hash of the host's file systems and directories that determine the layers, because
   * disks and directories may be added to a host between two starts.
   */
  private String hostHash() {
    Path root = Path.of("/");
    var hiddenDirectories =
        Layer.HIDDEN_DIRECTORIES.stream().filter(path -> Files.isDirectory(root.resolve(path)));
    return "-%08x"
        .formatted(
            Objects.hash(
                fileSystems,
                dataDirectory,
                hiddenDirectories.toList(),
                Layer.MOUNT_POINTS,
                Layer.ENVIRONMENT_LINK_TARGET));
  }

  private synchronized void createCommonLayers(
      Path directory, IdRange ids, String resolverConfiguration) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    Path parent = directory.getParent();
    if (!Files.isDirectory(parent)) {
      Files.createDirectory(parent);
      Linux.changeMode(parent.toString(), 0700);
    }
    Path draft = Files.createTempDirectory(parent, ".draft");
    for (MountStep step : TaskRootPlan.hostFileSteps(fileSystems)) {
      if (step instanceof MountStep.CopyOnWrite view) {
        Path layer = Files.createDirectory(draft.resolve(view.layer()));
        Linux.changeMode(layer.toString(), 0755);
        if (view.target().equals("/")) {
          Map<String, String> files =
              resolverConfiguration.isEmpty()
                  ? Map.of()
                  : Map.of("etc/resolv.conf", resolverConfiguration);
          Layer.fillRoot(layer, ids, dataDirectory, files);
        } else {
          Layer.fillOtherFileSystem(view.source(), layer, ids, dataDirectory);
        }
      }
    }
    Files.move(draft, directory, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Reads the host's resolv.conf. On many hosts it is a link to a file below /run, which a task
   * cannot read because each task has its own /run.
   */
  private static String readResolverConfiguration() throws IOException {
    try {
      return Files.readString(Path.of("/etc/resolv.conf"));
    } catch (NoSuchFileException e) {
      return ""; // the host has no name servers
    }
  }

  /**
   * Cleans the overlay's work directory. If an earlier server was killed between the mounts and the
   * start of a task, the kernel has left marks there that prevent a second mount.
   */
  void cleanWorkDirectories(TaskDirectory task) throws IOException {
    for (MountStep step : TaskRootPlan.hostFileSteps(fileSystems)) {
      if (step instanceof MountStep.CopyOnWrite view) {
        Path work = task.layerDirectory(view.layer(), "work");
        if (Files.exists(work.resolve("work"))) {
          Trash.deleteTree(work);
          Files.createDirectory(work);
        }
      }
    }
  }

  /** Adds a file of the task to its layer over the root. */
  void addFile(TaskDirectory task, IdRange ids, String path, String text) throws IOException {
    for (MountStep step : TaskRootPlan.hostFileSteps(fileSystems)) {
      if (step instanceof MountStep.CopyOnWrite view && view.target().equals("/")) {
        Layer.addFile(task.layerDirectory(view.layer(), "upper"), ids, path, text);
      }
    }
  }
}
