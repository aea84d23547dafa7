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
  private final Set<Path> known = ConcurrentHashMap.newKeySet();

  Layers(Path dataDirectory, List<Path> fileSystems) {
    this.dataDirectory = dataDirectory;
    this.fileSystems = fileSystems;
  }

  /** Creates the task's own layers; what is the same for many tasks is in {@link #common}. */
  void make(TaskDirectory task, IdRange ids, Map<String, String> files) throws IOException {
    for (MountStep step : RootPlan.views(fileSystems)) {
      if (step instanceof MountStep.CopyOnWrite view) {
        Files.createDirectory(task.layer(view.layer(), "work"));
        Path upper = Files.createDirectory(task.layer(view.layer(), "upper"));
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
   * Returns the directory with the layers, by name, between the host's file systems and the tasks'
   * own layers. They contain what is hidden from all tasks of these IDs, and fresh files. Created
   * once and never changed afterwards, because running tasks use it; a different resolver
   * configuration gets a different directory.
   */
  Path common(IdRange ids) throws IOException {
    String resolver = resolver();
    Path place =
        dataDirectory
            .resolve("layers")
            .resolve("%x-%08x".formatted(ids.base(), resolver.hashCode()) + machine());
    // Checked each time, because an administrator may have deleted it.
    if (!known.contains(place) || !Files.isDirectory(place)) {
      makeCommon(place, ids, resolver);
      known.add(place);
    }
    return place;
  }

  /**
   * Returns a hash of the other inputs of the layers: disks and directories may be added to a host
   * between two starts.
   */
  private String machine() {
    Path root = Path.of("/");
    var places = Layer.HIDDEN.stream().filter(place -> Files.isDirectory(root.resolve(place)));
    return "-%08x"
        .formatted(
            Objects.hash(
                fileSystems,
                dataDirectory,
                places.toList(),
                Layer.MOUNT_POINTS,
                Layer.ENVIRONMENT_FILE));
  }

  private synchronized void makeCommon(Path place, IdRange ids, String resolver)
      throws IOException {
    if (Files.isDirectory(place)) {
      return;
    }
    Path parent = place.getParent();
    if (!Files.isDirectory(parent)) {
      Files.createDirectory(parent);
      Linux.changeMode(parent.toString(), 0700);
    }
    Path draft = Files.createTempDirectory(parent, ".draft");
    for (MountStep step : RootPlan.views(fileSystems)) {
      if (step instanceof MountStep.CopyOnWrite view) {
        Path layer = Files.createDirectory(draft.resolve(view.layer()));
        Linux.changeMode(layer.toString(), 0755);
        if (view.target().equals("/")) {
          Map<String, String> files =
              resolver.isEmpty() ? Map.of() : Map.of("etc/resolv.conf", resolver);
          Layer.fillRoot(layer, ids, dataDirectory, files);
        } else {
          Layer.fillOther(view.source(), layer, ids, dataDirectory);
        }
      }
    }
    Files.move(draft, place, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Reads the host's resolv.conf, which is often a link below /run, where a task has its own files.
   */
  private static String resolver() throws IOException {
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
  void refresh(TaskDirectory task) throws IOException {
    for (MountStep step : RootPlan.views(fileSystems)) {
      if (step instanceof MountStep.CopyOnWrite view) {
        Path work = task.layer(view.layer(), "work");
        if (Files.exists(work.resolve("work"))) {
          Trash.deleteTree(work);
          Files.createDirectory(work);
        }
      }
    }
  }

  /** Adds a file of the task to its layer over the root. */
  void addFile(TaskDirectory task, IdRange ids, String path, String text) throws IOException {
    for (MountStep step : RootPlan.views(fileSystems)) {
      if (step instanceof MountStep.CopyOnWrite view && view.target().equals("/")) {
        Layer.addFile(task.layer(view.layer(), "upper"), ids, path, text);
      }
    }
  }
}
