package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.VolumeTarget;
import dev.trainyard.engine.process.HostView.Empty;
import dev.trainyard.engine.process.HostView.Layered;
import dev.trainyard.engine.process.HostView.Link;
import dev.trainyard.engine.process.HostView.Part;
import dev.trainyard.engine.process.HostView.ReadOnly;
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
 * all mount points, a layer per host directory, and the table of mounts. The server creates all of
 * it with its own privileges; the supervisor only has to mount.
 *
 * <pre>
 * root/           the task's /; receives changes outside of all layers
 * layers/NAME/    upper and work directory of the layer over /NAME
 * own/            the task's own versions of files in directories without a layer
 * </pre>
 */
final class UserRoot {
  static final String ROOT = "./root";

  /** All directories that it creates in the task's directory. */
  static final List<String> DIRECTORIES = List.of("root", "layers", "own");

  private static final String CLOSED = "size=4k,mode=755,ro,nosuid,nodev,noexec";

  private final Path task;
  private final HostView machine;
  private final CommonLayer common;
  private final MountTable mounts;
  private final Fstab table;

  /** Host directories that are replaced by a directory of the task; see {@link #addTo}. */
  private final Set<Path> replaced = new HashSet<>();

  UserRoot(Path task, HostView machine, CommonLayer common, MountTable mounts) {
    this.task = task;
    this.machine = machine;
    this.common = common;
    this.mounts = mounts;
    this.table = new Fstab(mounts);
  }

  /** Returns the complete table, whose paths are relative to the task's directory. */
  Fstab table() {
    return table;
  }

  /** Adds the host's files, with hidden directories, and the kernel's file systems. */
  UserRoot machineFiles() throws IOException {
    Files.createDirectories(task.resolve("root"));
    Linux.changeMode(task.resolve("root").toString(), 0755);
    table.bind(ROOT, ROOT);
    for (Part part : machine.parts()) {
      Path place = inRoot(part.path());
      switch (part) {
        case Link link -> Files.createSymbolicLink(place, link.to());
        case Empty empty -> directory(place, Layer.modeOf(empty.path()));
        case Layered layered -> layer(layered, place);
        case ReadOnly shown -> readOnly(shown, place);
      }
    }
    directory(inRoot(Path.of("/tmp")), 01777);
    processes();
    return this;
  }

  private void layer(Layered part, Path place) throws IOException {
    directory(place, 0755);
    Path upper = directory(upper(part), 0755);
    directory(upper.resolveSibling("work"), 0755);
    mount(part, table);
  }

  void mount(Layered part, Fstab lines) {
    String layers = "layers/" + part.path().getFileName();
    lines.layered(
        common.lower(part) + ":" + part.path(),
        layers + "/upper",
        layers + "/work",
        ROOT + part.path());
  }

  private void readOnly(ReadOnly part, Path place) throws IOException {
    directory(place, 0755);
    table.bindTree(part.path(), ROOT + part.path());
    part.readOnly().forEach(mount -> table.readOnly(mount, ROOT + mount));
    cover(part, part.path());
  }

  private void cover(ReadOnly part, Path below) {
    for (Path covered : part.covered()) {
      if (covered.startsWith(below)) {
        boolean writable = Layer.modeOf(covered) == 01777;
        table.fileSystem(
            "tmpfs", ROOT + covered, writable ? "size=1g,mode=1777,nosuid,nodev" : CLOSED);
      }
    }
  }

  /** Hides files of the server in directories without a layer. */
  UserRoot without(List<Path> secrets) {
    for (Path secret : secrets) {
      if (part(secret).filter(ReadOnly.class::isInstance).isPresent()
          && !machine.isHidden(secret)) {
        table.device("/dev/null", ROOT + secret);
      }
    }
    return this;
  }

  /** Adds the task's own versions of host files. */
  UserRoot files(Map<String, String> files) throws IOException {
    for (var file : files.entrySet()) {
      Path path = Path.of("/", file.getKey());
      Path place = ownFile(file.getKey());
      Files.createDirectories(place.getParent());
      Files.writeString(place, file.getValue());
      if (own(path).isEmpty() && Files.isRegularFile(path)) {
        table.bind("own/" + file.getKey(), ROOT + path.toRealPath());
      }
    }
    return this;
  }

  Path ownFile(String file) {
    return own(Path.of("/", file)).orElse(task.resolve("own").resolve(file));
  }

  /** Adds the steps of a plan that do not concern the host's files. */
  UserRoot steps(List<MountStep> steps) throws IOException {
    for (MountStep step : steps) {
      switch (step) {
        case MountStep.CopyOnWrite view ->
            throw new IllegalArgumentException(view + " needs root privileges");
        case MountStep.SystemView sys -> systemView(sys.target());
        case MountStep.Memory memory -> memory(memory);
        case MountStep.Terminals terminals -> {
          directory(inRoot(Path.of(terminals.target())), 0755);
          table.fileSystem(
              "devpts",
              ROOT + terminals.target(),
              "newinstance,ptmxmode=0666,mode=620,nosuid,noexec");
        }
        case MountStep.DeviceNode node -> device(node);
        case MountStep.Link link ->
            Files.createSymbolicLink(inRoot(Path.of(link.target())), Path.of(link.to()));
        case MountStep.PlatformFiles files ->
            table.readOnlyBind(files.source(), mountPoint(Path.of(files.target())));
        case MountStep.Volumes volumes -> volumes(volumes.binds());
      }
    }
    return this;
  }

  /**
   * Adds /proc without the processes that the task has no power over: the supervisor and the
   * copiers.
   */
  private void processes() throws IOException {
    directory(inRoot(Path.of("/proc")), 0755);
    String settings = ROOT + "/proc/sys";
    table
        .fileSystem("proc", ROOT + "/proc", "nosuid,nodev,noexec,hidepid=2")
        .line(settings, settings, "none", "bind,nosuid,nodev,noexec")
        .line("none", settings, "none", "remount,bind,ro,nosuid,nodev,noexec");
  }

  private void systemView(String target) throws IOException {
    directory(inRoot(Path.of(target)), 0755);
    table.bindTree(Path.of("/sys"), ROOT + target);
    List<Path> covered = new ArrayList<>();
    for (MountTable.Mount mount : mounts.below(Path.of("/sys"))) {
      if (covered.stream().noneMatch(mount.place()::startsWith)) {
        covered.add(mount.place());
        table.fileSystem("tmpfs", ROOT + mount.place(), CLOSED);
      }
    }
  }

  private void memory(MountStep.Memory memory) throws IOException {
    directory(inRoot(Path.of(memory.target())), memory.mode());
    // /dev needs no tmpfs because it contains only mount points
    if (!memory.target().equals("/dev")) {
      String options =
          "size=%d,mode=%o,nosuid,nodev".formatted(Math.max(4096, memory.bytes()), memory.mode());
      table.fileSystem("tmpfs", ROOT + memory.target(), options);
    }
  }

  private void device(MountStep.DeviceNode node) throws IOException {
    if (!Files.exists(node.source())) {
      return;
    }
    int type = (Integer) Files.getAttribute(node.source(), "unix:mode") & 0170000;
    if (type == Linux.CHARACTER_DEVICE) {
      Path place = inRoot(Path.of(node.target()));
      directory(place.getParent(), 0755);
      Files.createFile(place);
      table.device(node.source().toString(), ROOT + node.target());
    }
  }

  private void volumes(List<Bind> volumes) throws IOException {
    Map<Bind, Path> places = new LinkedHashMap<>();
    for (Bind volume : volumes) {
      places.put(volume, new InsidePath(this).resolve(volume.target()));
    }
    try {
      VolumeTarget.checkAll(places.values().stream().map(Path::toString).toList());
    } catch (EngineException e) {
      throw new IOException(e.getMessage(), e);
    }
    for (var volume : places.entrySet()) {
      Path source = volume.getKey().source().toRealPath();
      String place = mountPoint(volume.getValue());
      if (volume.getKey().readOnly()) {
        table.readOnlyBind(source, place);
      } else {
        table.bind(source.toString(), place);
      }
    }
  }

  /** Ensures that a mount point exists, and returns its path in the table. */
  private String mountPoint(Path inside) throws IOException {
    Optional<Path> place = own(inside);
    if (place.isPresent()) {
      directory(place.get(), 0755);
    } else if (!Files.isDirectory(inside)) {
      Path existing = inside;
      while (!Files.isDirectory(existing)) {
        existing = existing.getParent();
      }
      addTo(existing, inside);
    }
    return ROOT + inside;
  }

  /**
   * Creates a mount point in a host directory that is read-only, by replacing that directory with
   * one of the task that shows all entries of the host's directory and the new mount point.
   */
  private void addTo(Path existing, Path place) throws IOException {
    Path own = task.resolve("own").resolve(existing.toString().substring(1));
    if (replaced.add(existing)) {
      Files.createDirectories(own);
      table.bind(task.relativize(own).toString(), ROOT + existing);
      try (Stream<Path> entries = Files.list(existing)) {
        for (Path entry : entries.sorted().toList()) {
          show(entry, own.resolve(entry.getFileName()));
        }
      }
      if (part(existing).orElseThrow() instanceof ReadOnly shown) {
        cover(shown, existing);
      }
    }
    Files.createDirectories(own.resolve(existing.relativize(place)));
  }

  private void show(Path entry, Path own) throws IOException {
    if (Files.isSymbolicLink(entry)) {
      Files.createSymbolicLink(own, Files.readSymbolicLink(entry));
    } else if (Files.isDirectory(entry)) {
      Files.createDirectory(own);
      table.bindTree(entry, ROOT + entry);
    } else if (Files.isRegularFile(entry)) {
      Files.createFile(own);
      table.readOnlyBind(entry, ROOT + entry);
    }
  }

  /**
   * Returns where the task's changes to a path are stored; empty if it is in a read-only directory.
   */
  private Optional<Path> own(Path inside) {
    Optional<Part> part = part(inside);
    if (part.isEmpty() || part.get() instanceof Empty) {
      return Optional.of(inRoot(inside));
    }
    return part.get() instanceof Layered layered
        ? Optional.of(upper(layered).resolve(layered.path().relativize(inside)))
        : Optional.empty();
  }

  /** Returns the current location of the file that the task will see at a path. */
  Optional<Path> behind(Path inside) {
    Optional<Path> own = own(inside).filter(path -> Files.exists(path, LinkOption.NOFOLLOW_LINKS));
    if (own.isPresent()) {
      return own;
    }
    Optional<Part> part = part(inside);
    if (part.isPresent() && part.get() instanceof Layered layered) {
      Path place = common.of(layered, inside);
      if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
        return Optional.of(place);
      }
    }
    boolean shown = part.filter(p -> p instanceof Layered || p instanceof ReadOnly).isPresent();
    return shown && !machine.isHidden(inside) && Files.exists(inside, LinkOption.NOFOLLOW_LINKS)
        ? Optional.of(inside)
        : Optional.empty();
  }

  private Optional<Part> part(Path inside) {
    return machine.parts().stream().filter(part -> inside.startsWith(part.path())).findFirst();
  }

  private Path inRoot(Path inside) {
    return task.resolve("root").resolve(inside.toString().substring(1));
  }

  private Path upper(Part part) {
    return task.resolve("layers").resolve(part.path().getFileName()).resolve("upper");
  }

  private static Path directory(Path path, int mode) throws IOException {
    Files.createDirectories(path);
    Linux.changeMode(path.toString(), mode);
    return path;
  }
}
