package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.VolumeTarget;
import dev.trainyard.engine.process.HostView.EmptyDirectory;
import dev.trainyard.engine.process.HostView.Link;
import dev.trainyard.engine.process.HostView.OverlayDirectory;
import dev.trainyard.engine.process.HostView.Part;
import dev.trainyard.engine.process.HostView.ReadOnlyDirectory;
import dev.trainyard.engine.process.MountStep.Bind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The root of a task before it is mounted, if the server runs as an ordinary user: a directory with
 * all mount points, a layer for each host directory, and the table of mounts. The server creates
 * these files with its own privileges; the supervisor only has to mount them.
 *
 * <pre>
 * root/           the task's /; receives changes outside of all layers
 * layers/NAME/    upper and work directory of the layer over /NAME
 * own/            the task's own versions of files in directories without a layer
 * </pre>
 */
final class UserRoot {
  static final String ROOT = "./root";

  /** Names of the directories that this class creates in the task's directory. */
  static final List<String> DIRECTORIES = List.of("root", "layers", "own");

  private static final String EMPTY_TMPFS_OPTIONS = "size=4k,mode=755,ro,nosuid,nodev,noexec";

  private final Path task;
  private final HostView hostView;
  private final CommonLayer commonLayer;
  private final MountTable mounts;
  private final Fstab table;

  /**
   * Host directories that are replaced by a directory of the task; see {@link #addMountPointIn}.
   */
  private final Set<Path> replacedDirectories = new HashSet<>();

  UserRoot(Path task, HostView hostView, CommonLayer commonLayer, MountTable mounts) {
    this.task = task;
    this.hostView = hostView;
    this.commonLayer = commonLayer;
    this.mounts = mounts;
    this.table = new Fstab(mounts);
  }

  /** Returns the complete table, whose paths are relative to the task's directory. */
  Fstab table() {
    return table;
  }

  /** Adds the host's files, with hidden directories, and the kernel's file systems. */
  UserRoot addHostFiles() throws IOException {
    Files.createDirectories(task.resolve("root"));
    Linux.changeMode(task.resolve("root").toString(), 0755);
    table.bind(ROOT, ROOT);
    for (Part part : hostView.parts()) {
      Path target = pathInRoot(part.path());
      switch (part) {
        case Link link -> Files.createSymbolicLink(target, link.linkTarget());
        case EmptyDirectory directory -> createDirectory(target, Layer.modeOf(directory.path()));
        case OverlayDirectory directory -> addOverlay(directory, target);
        case ReadOnlyDirectory directory -> addReadOnly(directory, target);
      }
    }
    createDirectory(pathInRoot(Path.of("/tmp")), 01777);
    addProc();
    return this;
  }

  private void addOverlay(OverlayDirectory part, Path mountPoint) throws IOException {
    createDirectory(mountPoint, 0755);
    Path upper = createDirectory(upperDirectory(part), 0755);
    createDirectory(upper.resolveSibling("work"), 0755);
    addOverlayMount(part, table);
  }

  void addOverlayMount(OverlayDirectory part, Fstab fstab) {
    String layerDirectory = "layers/" + part.path().getFileName();
    fstab.overlay(
        commonLayer.lowerDirectory(part) + ":" + part.path(),
        layerDirectory + "/upper",
        layerDirectory + "/work",
        ROOT + part.path());
  }

  private void addReadOnly(ReadOnlyDirectory part, Path mountPoint) throws IOException {
    createDirectory(mountPoint, 0755);
    table.bindTree(part.path(), ROOT + part.path());
    part.visibleMounts().forEach(mount -> table.remountReadOnly(mount, ROOT + mount));
    addCovers(part, part.path());
  }

  private void addCovers(ReadOnlyDirectory part, Path parent) {
    for (Path coveredDirectory : part.coveredDirectories()) {
      if (coveredDirectory.startsWith(parent)) {
        boolean writable = Layer.modeOf(coveredDirectory) == 01777;
        table.fileSystem(
            "tmpfs",
            ROOT + coveredDirectory,
            writable ? "size=1g,mode=1777,nosuid,nodev" : EMPTY_TMPFS_OPTIONS);
      }
    }
  }

  /** Hides files of the server in directories without a layer. */
  UserRoot hideFiles(List<Path> secrets) {
    for (Path secret : secrets) {
      if (partOf(secret).filter(ReadOnlyDirectory.class::isInstance).isPresent()
          && !hostView.isHidden(secret)) {
        table.device("/dev/null", ROOT + secret);
      }
    }
    return this;
  }

  /** Adds the task's own versions of host files. */
  UserRoot addFiles(Map<String, String> files) throws IOException {
    for (var file : files.entrySet()) {
      Path path = Path.of("/", file.getKey());
      Path target = ownFile(file.getKey());
      Files.createDirectories(target.getParent());
      Files.writeString(target, file.getValue());
      if (changesPath(path).isEmpty() && Files.isRegularFile(path)) {
        table.bind("own/" + file.getKey(), ROOT + path.toRealPath());
      }
    }
    return this;
  }

  Path ownFile(String file) {
    return changesPath(Path.of("/", file)).orElse(task.resolve("own").resolve(file));
  }

  /** Adds the steps of a plan that do not concern the host's files. */
  UserRoot addSteps(List<MountStep> steps) throws IOException {
    for (MountStep step : steps) {
      switch (step) {
        case MountStep.CopyOnWrite view ->
            throw new IllegalArgumentException(view + " needs root privileges");
        case MountStep.SystemView sys -> addSysView(sys.target());
        case MountStep.Tmpfs tmpfs -> addTmpfs(tmpfs);
        case MountStep.Terminals terminals -> {
          createDirectory(pathInRoot(Path.of(terminals.target())), 0755);
          table.fileSystem(
              "devpts",
              ROOT + terminals.target(),
              "newinstance,ptmxmode=0666,mode=620,nosuid,noexec");
        }
        case MountStep.DeviceNode node -> addDevice(node);
        case MountStep.Link link ->
            Files.createSymbolicLink(
                pathInRoot(Path.of(link.target())), Path.of(link.linkTarget()));
        case MountStep.PlatformFiles files ->
            table.readOnlyBind(files.source(), createMountPoint(Path.of(files.target())));
        case MountStep.Volumes volumes -> addVolumes(volumes.binds());
      }
    }
    return this;
  }

  /**
   * Adds /proc, in which the processes that the task may not access are invisible: the supervisor
   * and the copiers.
   */
  private void addProc() throws IOException {
    createDirectory(pathInRoot(Path.of("/proc")), 0755);
    String settings = ROOT + "/proc/sys";
    table
        .fileSystem("proc", ROOT + "/proc", "nosuid,nodev,noexec,hidepid=2")
        .line(settings, settings, "none", "bind,nosuid,nodev,noexec")
        .line("none", settings, "none", "remount,bind,ro,nosuid,nodev,noexec");
  }

  private void addSysView(String target) throws IOException {
    createDirectory(pathInRoot(Path.of(target)), 0755);
    table.bindTree(Path.of("/sys"), ROOT + target);
    List<Path> coveredDirectories = new ArrayList<>();
    for (MountTable.Mount mount : mounts.mountsBelow(Path.of("/sys"))) {
      if (coveredDirectories.stream().noneMatch(mount.mountPoint()::startsWith)) {
        coveredDirectories.add(mount.mountPoint());
        table.fileSystem("tmpfs", ROOT + mount.mountPoint(), EMPTY_TMPFS_OPTIONS);
      }
    }
  }

  private void addTmpfs(MountStep.Tmpfs tmpfs) throws IOException {
    createDirectory(pathInRoot(Path.of(tmpfs.target())), tmpfs.mode());
    // /dev needs no tmpfs, because it contains only mount points and links.
    if (!tmpfs.target().equals("/dev")) {
      String options =
          "size=%d,mode=%o,nosuid,nodev".formatted(Math.max(4096, tmpfs.bytes()), tmpfs.mode());
      table.fileSystem("tmpfs", ROOT + tmpfs.target(), options);
    }
  }

  private void addDevice(MountStep.DeviceNode node) throws IOException {
    if (!Files.exists(node.source())) {
      return;
    }
    int type = (Integer) Files.getAttribute(node.source(), "unix:mode") & 0170000;
    if (type == Linux.CHARACTER_DEVICE) {
      Path target = pathInRoot(Path.of(node.target()));
      createDirectory(target.getParent(), 0755);
      Files.createFile(target);
      table.device(node.source().toString(), ROOT + node.target());
    }
  }

  private void addVolumes(List<Bind> volumes) throws IOException {
    Map<Bind, Path> mountPoints = new LinkedHashMap<>();
    for (Bind volume : volumes) {
      mountPoints.put(volume, new TaskPathResolver(this).resolve(volume.target()));
    }
    try {
      VolumeTarget.checkAll(mountPoints.values().stream().map(Path::toString).toList());
    } catch (EngineException e) {
      throw new IOException(e.getMessage(), e);
    }
    for (var volume : mountPoints.entrySet()) {
      Path source = volume.getKey().source().toRealPath();
      String target = createMountPoint(volume.getValue());
      if (volume.getKey().readOnly()) {
        table.readOnlyBind(source, target);
      } else {
        table.bind(source.toString(), target);
      }
    }
  }

  /** Ensures that a mount point exists, and returns its path in the table. */
  private String createMountPoint(Path taskPath) throws IOException {
    Optional<Path> changesPath = changesPath(taskPath);
    if (changesPath.isPresent()) {
      createDirectory(changesPath.get(), 0755);
    } else if (!Files.isDirectory(taskPath)) {
      Path hostDirectory = taskPath;
      while (!Files.isDirectory(hostDirectory)) {
        hostDirectory = hostDirectory.getParent();
      }
      addMountPointIn(hostDirectory, taskPath);
    }
    return ROOT + taskPath;
  }

  /**
   * Creates a mount point in a read-only directory of the host. The directory is replaced by a
   * directory of the task that shows all entries of the host's directory and the new mount point.
   */
  private void addMountPointIn(Path hostDirectory, Path mountPoint) throws IOException {
    Path replacement = task.resolve("own").resolve(hostDirectory.toString().substring(1));
    if (replacedDirectories.add(hostDirectory)) {
      Files.createDirectories(replacement);
      table.bind(task.relativize(replacement).toString(), ROOT + hostDirectory);
      try (Stream<Path> entries = Files.list(hostDirectory)) {
        for (Path entry : entries.sorted().toList()) {
          addEntry(entry, replacement.resolve(entry.getFileName()));
        }
      }
      if (partOf(hostDirectory).orElseThrow() instanceof ReadOnlyDirectory part) {
        addCovers(part, hostDirectory);
      }
    }
    Files.createDirectories(replacement.resolve(hostDirectory.relativize(mountPoint)));
  }

  private void addEntry(Path entry, Path target) throws IOException {
    if (Files.isSymbolicLink(entry)) {
      Files.createSymbolicLink(target, Files.readSymbolicLink(entry));
    } else if (Files.isDirectory(entry)) {
      Files.createDirectory(target);
      table.bindTree(entry, ROOT + entry);
    } else if (Files.isRegularFile(entry)) {
      Files.createFile(target);
      table.readOnlyBind(entry, ROOT + entry);
    }
  }

  /**
   * Returns the path where the task's changes to a file are stored; empty if the file is in a
   * read-only directory.
   */
  private Optional<Path> changesPath(Path taskPath) {
    Optional<Part> part = partOf(taskPath);
    if (part.isEmpty() || part.get() instanceof EmptyDirectory) {
      return Optional.of(pathInRoot(taskPath));
    }
    return part.get() instanceof OverlayDirectory directory
        ? Optional.of(upperDirectory(directory).resolve(directory.path().relativize(taskPath)))
        : Optional.empty();
  }

  /** Returns the current path of the file that the task will see at {@code taskPath}. */
  Optional<Path> locate(Path taskPath) {
    Optional<Path> changedFile =
        changesPath(taskPath).filter(path -> Files.exists(path, LinkOption.NOFOLLOW_LINKS));
    if (changedFile.isPresent()) {
      return changedFile;
    }
    Optional<Part> part = partOf(taskPath);
    if (part.isPresent() && part.get() instanceof OverlayDirectory directory) {
      Path commonFile = commonLayer.pathOf(directory, taskPath);
      if (Files.exists(commonFile, LinkOption.NOFOLLOW_LINKS)) {
        return Optional.of(commonFile);
      }
    }
    boolean visible =
        part.filter(p -> p instanceof OverlayDirectory || p instanceof ReadOnlyDirectory)
            .isPresent();
    return visible
            && !hostView.isHidden(taskPath)
            && Files.exists(taskPath, LinkOption.NOFOLLOW_LINKS)
        ? Optional.of(taskPath)
        : Optional.empty();
  }

  private Optional<Part> partOf(Path taskPath) {
    return hostView.parts().stream().filter(part -> taskPath.startsWith(part.path())).findFirst();
  }

  private Path pathInRoot(Path taskPath) {
    return task.resolve("root").resolve(taskPath.toString().substring(1));
  }

  private Path upperDirectory(Part part) {
    return task.resolve("layers").resolve(part.path().getFileName()).resolve("upper");
  }

  private static Path createDirectory(Path path, int mode) throws IOException {
    Files.createDirectories(path);
    Linux.changeMode(path.toString(), mode);
    return path;
  }
}
