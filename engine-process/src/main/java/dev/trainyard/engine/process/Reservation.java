package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.Volume;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes a task's directory with all that can be made before it starts. */
final class Reservation {
  private static final String HOST_NAME = "[A-Za-z0-9]([A-Za-z0-9.-]{0,62})?";

  private final Path dataDirectory;
  private final List<Path> fileSystems;

  Reservation(Path dataDirectory, List<Path> fileSystems) {
    this.dataDirectory = dataDirectory;
    this.fileSystems = fileSystems;
  }

  /**
   * Refuses what could not be started.
   *
   * @throws EngineException saying why
   */
  void check(TaskSpec spec) {
    IdRange.of(spec.idRange());
    LaunchScript.check(spec.environment());
    VolumeTarget.checkAll(spec.volumes().stream().map(Volume::target).toList());
    if (!spec.hostName().matches(HOST_NAME)) {
      throw new EngineException("'" + spec.hostName() + "' can't be the name of a machine");
    }
    for (String file : spec.files().keySet()) {
      Path path = Path.of(file);
      if (file.isEmpty() || path.isAbsolute() || !path.normalize().equals(path)) {
        throw new EngineException("'" + file + "' can't be a file of a task");
      }
    }
  }

  void make(TaskSpec spec, TaskDirectory task) throws IOException {
    IdRange ids = IdRange.of(spec.idRange());
    for (Volume volume : spec.volumes()) {
      makeSource(volume, ids);
    }
    Files.createDirectories(task.path());
    makeFifos(task, ids);
    makePlatformFiles(spec, task);
    makeLayers(task, ids, ownFiles(spec.hostName()));
    Files.createDirectories(spec.logDirectory());
    Linux.changeMode(spec.logDirectory().toString(), 0700);
  }

  /** Of the task's root, so that {@code echo x > /dev/stderr} may open them again. */
  private static void makeFifos(TaskDirectory task, IdRange ids) throws IOException {
    for (String name : List.of("out", "err")) {
      String path = task.file(name).toString();
      Linux.makeNode(Linux.AT_FDCWD, path, Linux.FIFO, 0622, 0);
      Linux.changeOwner(Linux.AT_FDCWD, path, ids.base(), ids.base());
    }
  }

  private static void makePlatformFiles(TaskSpec spec, TaskDirectory task) throws IOException {
    Map<String, String> files = new LinkedHashMap<>(spec.files());
    files.put("runtime.d/user.sh", spec.script());
    files.put("runtime.d/init.sh", Scripts.init());
    makeReadable(task.platform());
    for (var file : files.entrySet()) {
      write(task.platform(), file.getKey(), file.getValue());
    }
  }

  static void write(Path directory, String name, String text) throws IOException {
    Path place = directory.resolve(name);
    Files.createDirectories(place.getParent());
    for (Path above = place.getParent(); !above.equals(directory); above = above.getParent()) {
      makeReadable(above);
    }
    Files.writeString(place, text);
    Linux.changeMode(place.toString(), 0755);
  }

  private static void makeReadable(Path directory) throws IOException {
    Files.createDirectories(directory);
    Linux.changeMode(directory.toString(), 0755);
  }

  void makeLayers(TaskDirectory task, IdRange ids, Map<String, String> files) throws IOException {
    for (MountStep step : RootPlan.views(fileSystems)) {
      if (step instanceof MountStep.CopyOnWrite view) {
        for (String part : List.of("upper", "work")) {
          Files.createDirectories(task.layer(view.layer(), part));
        }
        Path upper = task.layer(view.layer(), "upper");
        // The layer's top stands for the machine's directory, and its mode is what the task sees.
        Linux.changeOwner(Linux.AT_FDCWD, upper.toString(), ids.base(), ids.base());
        Linux.changeMode(upper.toString(), 0755);
        if (view.target().equals("/")) {
          Layer.fillRoot(upper, ids, dataDirectory, files);
        } else {
          Layer.fillOther(view.source(), upper, ids, dataDirectory);
        }
      }
    }
  }

  private static Map<String, String> ownFiles(String hostName) throws IOException {
    Map<String, String> files = new LinkedHashMap<>();
    files.put(
        "etc/hosts",
        """
        127.0.0.1 localhost
        ::1 localhost ip6-localhost ip6-loopback
        127.0.0.1 %s
        """
            .formatted(hostName));
    files.put("etc/hostname", hostName + "\n");
    try {
      // Often a link to below /run, which a task has its own of.
      files.put("etc/resolv.conf", Files.readString(Path.of("/etc/resolv.conf")));
    } catch (NoSuchFileException e) {
      // a machine without name servers
    }
    return files;
  }

  /** Only the directory itself changes hands: what is in it is its owner's business. */
  private static void makeSource(Volume volume, IdRange ids) throws IOException {
    Path source = volume.source();
    if (!Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS)) {
      if (volume.access() == Volume.Access.READ_ONLY) {
        throw new EngineException("the directory for " + volume.target() + " is missing");
      }
      Files.createDirectories(source);
      int mode = volume.access() == Volume.Access.OWNED ? 0700 : 01777;
      Linux.changeMode(source.toString(), mode);
    }
    if (volume.access() == Volume.Access.OWNED) {
      int owner = (Integer) Files.getAttribute(source, "unix:uid", LinkOption.NOFOLLOW_LINKS);
      if (IdRange.isOfAUser(owner) && !ids.contains(owner)) {
        throw new EngineException(
            "the directory for "
                + volume.target()
                + " belongs to another user of the platform; the administrator has to move it"
                + " away");
      }
      Linux.changeOwner(Linux.AT_FDCWD, source.toString(), ids.base(), ids.base());
    }
  }
}
