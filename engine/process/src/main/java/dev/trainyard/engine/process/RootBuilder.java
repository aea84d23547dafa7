package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.SecretFiles;
import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.engine.linux.Mounts;
import dev.trainyard.engine.linux.VolumeTarget;
import dev.trainyard.engine.process.MountStep.Bind;
import dev.trainyard.engine.process.MountStep.CopyOnWrite;
import dev.trainyard.engine.process.MountStep.DeviceNode;
import dev.trainyard.engine.process.MountStep.Link;
import dev.trainyard.engine.process.MountStep.Memory;
import dev.trainyard.engine.process.MountStep.PlatformFiles;
import dev.trainyard.engine.process.MountStep.SystemView;
import dev.trainyard.engine.process.MountStep.Terminals;
import dev.trainyard.engine.process.MountStep.Volumes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Executes a plan in the mount namespace of the calling thread. Every target is opened beneath the
 * new root before anything is mounted on it, so that a symbolic link on the host's file system
 * never leads back to the host.
 */
final class RootBuilder implements AutoCloseable {
  /** Owns nothing and is in no group, so it can read only what every user of the host can read. */
  private static final int UNPRIVILEGED = 65534;

  private static final int TERMINAL_GROUP = 5;

  /** The cell has two directories: one for the task's root, and one that stays empty. */
  private static final String ROOT = "root";

  private static final String EMPTY = "empty";
  private static final int CELL_BYTES = 4096;

  /** The task's root in its mount namespace, after {@link #leaveMachine}. */
  static final Path TASK_ROOT = Path.of("/" + ROOT);

  private final TaskDirectory task;
  private final IdRange ids;
  private final int userNamespace;
  private final Path common;
  private final SecretFiles secrets;
  private int root = -1;
  private int cell = -1;

  /**
   * @param common the layers, by name, between the host's file systems and the task's own
   */
  RootBuilder(
      TaskDirectory task, IdRange ids, int userNamespace, Path common, SecretFiles secrets) {
    this.task = task;
    this.ids = ids;
    this.userNamespace = userNamespace;
    this.common = common;
    this.secrets = secrets;
  }

  void build(List<MountStep> steps) throws IOException {
    cell = memory(new Memory("", CELL_BYTES, 0755));
    for (String name : List.of(ROOT, EMPTY)) {
      Linux.makeDirectory(cell, name, 0755);
    }
    Mounts.restrict(cell, Mounts.READ_ONLY | Mounts.NO_SETUID | Mounts.NO_DEVICES | Mounts.NO_EXEC);
    attachOutside(cell, task.cell());
    for (MountStep step : steps) {
      apply(step);
    }
  }

  /** Returns the open root directory of the task; it stays open until {@link #close}. */
  int root() {
    return root;
  }

  private void apply(MountStep step) throws IOException {
    switch (step) {
      case CopyOnWrite view -> attach(copyOnWrite(view), view.target());
      case PlatformFiles files -> {
        attach(restricted(files.source().toString(), Mounts.READ_ONLY), files.target());
        if (!secrets.isEmpty()) {
          attach(SecretMemory.filled(secrets, ids), RootPlan.SECRETS_DIRECTORY);
        }
      }
      case Volumes volumes -> attachAll(volumes.binds());
      case SystemView sys ->
          attach(restricted("/sys", Mounts.READ_ONLY | Mounts.NO_EXEC), sys.target());
      case Memory memory -> attach(memory(memory), memory.target());
      case Terminals terminals -> attach(terminals(), terminals.target());
      case DeviceNode node -> deviceNode(node);
      case Link link -> {
        Place place = place(link.target());
        Linux.makeLink(place.directory, place.name, link.to());
        Linux.close(place.directory);
      }
    }
  }

  /**
   * Creates two overlays. The lower one is created by an ID without any privileges: what ordinary
   * users of the host cannot read cannot be read through it, whatever privileges the mapped IDs
   * give the task's root user, and whenever the file was created. The upper one adds the task's own
   * layer.
   */
  private int copyOnWrite(CopyOnWrite view) throws IOException {
    Path low = task.mounted(view.layer(), "low");
    Path seen = task.mounted(view.layer(), "seen");
    int machine = Mounts.copyOf(view.source().toString());
    try {
      Mounts.mapIds(machine, userNamespace, Mounts.READ_ONLY);
      attachOutside(machine, low);
    } finally {
      Linux.close(machine);
    }
    int readable = unprivilegedOverlay(low);
    try {
      attachOutside(readable, seen);
    } finally {
      Linux.close(readable);
    }
    Map<String, String> options = new LinkedHashMap<>();
    options.put("lowerdir", layer(common.resolve(view.layer())) + ":" + layer(seen));
    options.put("upperdir", task.layer(view.layer(), "upper").toString());
    options.put("workdir", task.layer(view.layer(), "work").toString());
    // The layer does not outlive the task, so it does not have to survive a crash.
    options.put("volatile", "");
    return overlay(options);
  }

  /** Escapes a path for a list of layers in the kernel's format. */
  private static String layer(Path path) {
    return path.toString().replace("\\", "\\\\").replace(":", "\\:");
  }

  /**
   * Creates a read-only overlay, which needs a second layer on another file system than the first.
   */
  private int unprivilegedOverlay(Path low) throws IOException {
    int lower = Linux.open(low.toString(), Linux.O_PATH | Linux.O_DIRECTORY);
    int lowest = Linux.openAt(cell, EMPTY, Linux.O_PATH | Linux.O_DIRECTORY);
    Linux.fileIds(UNPRIVILEGED);
    try {
      // By descriptor, because this ID cannot enter the server's directory that contains them.
      return overlay(Map.of("lowerdir", "/proc/self/fd/" + lower + ":/proc/self/fd/" + lowest));
    } finally {
      Linux.fileIds(0);
      Linux.close(lower);
      Linux.close(lowest);
    }
  }

  private static int overlay(Map<String, String> layers) throws IOException {
    Map<String, String> options = new LinkedHashMap<>(layers);
    // A task's changes to its layer must never redirect the kernel to other files of the host.
    options.put("redirect_dir", "nofollow");
    options.put("metacopy", "off");
    options.put("index", "off");
    return Mounts.create("overlay", options, Mounts.NO_DEVICES);
  }

  /**
   * Opens all mount points first, in a root that contains no files of users yet, and then attaches
   * all volumes. Thus concurrent changes by tasks that share a volume cannot move the mount point
   * of another volume.
   */
  private void attachAll(List<Bind> volumes) throws IOException {
    List<Integer> places = new ArrayList<>();
    try {
      for (Bind volume : volumes) {
        places.add(volumePlace(volume.target()));
      }
      checkResolved(volumes, places);
      for (int i = 0; i < places.size(); i++) {
        Bind volume = volumes.get(i);
        int mount =
            restricted(volume.source().toString(), volume.readOnly() ? Mounts.READ_ONLY : 0);
        try {
          Mounts.attach(mount, places.get(i));
        } finally {
          Linux.close(mount);
        }
      }
    } finally {
      places.forEach(Linux::close);
    }
  }

  private int volumePlace(String target) throws IOException {
    try {
      return directory(target);
    } catch (LinuxException e) {
      throw switch (e.errno()) {
        // A host file is at the path or on the way to it, or a link is dangling inside the task.
        case LinuxException.ENOTDIR,
            LinuxException.EEXIST,
            LinuxException.ELOOP,
            LinuxException.ENAMETOOLONG ->
            new VolumeRefusedException(
                "the path " + target + " can't be used in a task: it can't be a directory", e);
        default -> e;
      };
    }
  }

  /**
   * Checks the resolved paths, because a link of the host may have led a valid path to an invalid
   * one.
   */
  private void checkResolved(List<Bind> volumes, List<Integer> places) throws IOException {
    List<String> resolved = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      Path place = Files.readSymbolicLink(Path.of("/proc/self/fd/" + places.get(i)));
      if (!place.startsWith(task.root())) {
        throw new VolumeRefusedException(volumes.get(i).target() + " leaves the task's root", null);
      }
      resolved.add("/" + task.root().relativize(place));
    }
    try {
      VolumeTarget.checkAll(resolved);
    } catch (EngineException e) {
      throw new VolumeRefusedException(e.getMessage(), e);
    }
  }

  private static int restricted(String source, long attributes) throws IOException {
    int mount = Mounts.copyOf(source);
    Mounts.restrict(mount, Mounts.NO_SETUID | Mounts.NO_DEVICES | attributes);
    return mount;
  }

  private static int memory(Memory memory) throws IOException {
    return Mounts.create(
        "tmpfs",
        Map.of("size", Long.toString(memory.bytes()), "mode", Integer.toOctalString(memory.mode())),
        memory.target().equals("/dev") ? Mounts.NO_SETUID : Mounts.NO_SETUID | Mounts.NO_DEVICES);
  }

  /**
   * Mounts {@code /proc} of a PID namespace, given by its first process, which is invisible in it.
   * Returns false if the kernel is too old (before 6.17); then that process has to mount it.
   */
  boolean mountProcesses(int first) throws IOException {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("hidepid", "invisible");
    options.put("pidns", "/proc/" + first + "/ns/pid");
    try {
      attach(
          Mounts.create("proc", options, Mounts.NO_SETUID | Mounts.NO_DEVICES | Mounts.NO_EXEC),
          "/proc");
      return true;
    } catch (LinuxException e) {
      if (e.errno() == LinuxException.EINVAL) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Makes the cell the root of this mount namespace: a read-only file system that contains nothing
   * but the task's root. No mount of the host remains in it, including the layers below the task's
   * root, so that no directory of the task leads to them by {@code ..}.
   */
  void leaveMachine() throws IOException {
    int place = Linux.openAt(cell, ROOT, Linux.O_PATH | Linux.O_DIRECTORY);
    try {
      Mounts.attach(root, place);
    } finally {
      Linux.close(place);
    }
    Mounts.pivotRoot(cell);
  }

  private int terminals() throws IOException {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("newinstance", "");
    options.put("ptmxmode", "0666");
    options.put("mode", "0620");
    options.put("gid", Integer.toString(ids.base() + TERMINAL_GROUP));
    return Mounts.create("devpts", options, Mounts.NO_SETUID | Mounts.NO_EXEC);
  }

  private void deviceNode(DeviceNode node) throws IOException {
    if (!Files.exists(node.source())) {
      return;
    }
    Map<String, Object> attributes = Files.readAttributes(node.source(), "unix:mode,rdev");
    if (((Integer) attributes.get("mode") & 0170000) != Linux.CHARACTER_DEVICE) {
      return;
    }
    long device = (Long) attributes.get("rdev");
    Place place = place(node.target());
    Linux.makeNode(place.directory, place.name, Linux.CHARACTER_DEVICE, 0666, device);
    Linux.changeOwner(place.directory, place.name, ids.base(), ids.base());
    Linux.close(place.directory);
  }

  private void attach(int mount, String target) throws IOException {
    try {
      if (target.equals("/")) {
        attachOutside(mount, task.root());
        root = Linux.open(task.root().toString(), Linux.O_PATH | Linux.O_DIRECTORY);
      } else {
        int place = directory(target);
        try {
          Mounts.attach(mount, place);
        } finally {
          Linux.close(place);
        }
      }
    } finally {
      Linux.close(mount);
    }
  }

  /** Attaches a mount to a directory of the task that only the server can access. */
  private static void attachOutside(int mount, Path place) throws IOException {
    int directory = Linux.open(place.toString(), Linux.O_PATH | Linux.O_DIRECTORY);
    try {
      Mounts.attach(mount, directory);
    } finally {
      Linux.close(directory);
    }
  }

  /** The open parent directory of a file, and the name of the file in it. */
  private record Place(int directory, String name) {}

  private Place place(String target) throws IOException {
    int slash = target.lastIndexOf('/');
    return new Place(
        directory(slash == 0 ? "/" : target.substring(0, slash)), target.substring(slash + 1));
  }

  /** Opens a directory of the new root; creates it if necessary. */
  private int directory(String target) throws IOException {
    int flags = Linux.O_PATH | Linux.O_DIRECTORY;
    int found = Linux.openInRoot(root, target, flags);
    if (found >= 0) {
      return found;
    }
    Place place = place(target);
    try {
      Linux.makeDirectory(place.directory, place.name, 0755);
      Linux.changeOwner(place.directory, place.name, ids.base(), ids.base());
    } finally {
      Linux.close(place.directory);
    }
    int created = Linux.openInRoot(root, target, flags);
    if (created < 0) {
      throw new LinuxException("open " + target, LinuxException.ENOENT);
    }
    return created;
  }

  @Override
  public void close() {
    Linux.close(root);
    Linux.close(cell);
  }
}
