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
import dev.trainyard.engine.process.MountStep.PlatformFiles;
import dev.trainyard.engine.process.MountStep.SystemView;
import dev.trainyard.engine.process.MountStep.Terminals;
import dev.trainyard.engine.process.MountStep.Tmpfs;
import dev.trainyard.engine.process.MountStep.Volumes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Executes the steps that build a task's root, in the mount namespace of the calling thread. Every
 * target is opened beneath the new root before anything is mounted on it, so that no symbolic link
 * of the host's file system leads out of the new root.
 */
final class RootBuilder implements AutoCloseable {
  /**
   * User and group ID that owns no files, so that only the files that every user of the host can
   * read are accessible with it.
   */
  private static final int UNPRIVILEGED_ID = 65534;

  private static final int TERMINAL_GROUP = 5;

  /**
   * Name of the directory on which the task's root is mounted. The root of the mount namespace
   * contains only this directory and {@link #EMPTY_NAME}.
   */
  private static final String ROOT_NAME = "root";

  private static final String EMPTY_NAME = "empty";
  private static final int NAMESPACE_ROOT_BYTES = 4096;

  /** The task's root in its mount namespace, after {@link #enterRoot}. */
  static final Path TASK_ROOT = Path.of("/" + ROOT_NAME);

  private final TaskDirectory task;
  private final IdRange ids;
  private final int userNamespace;
  private final Path commonLayers;
  private final SecretFiles secrets;
  private int root = -1;
  private int namespaceRoot = -1;

  /**
   * @param commonLayers directory that contains, by name, the layers between the host's file
   *     systems and the task's own layers
   */
  RootBuilder(
      TaskDirectory task, IdRange ids, int userNamespace, Path commonLayers, SecretFiles secrets) {
    this.task = task;
    this.ids = ids;
    this.userNamespace = userNamespace;
    this.commonLayers = commonLayers;
    this.secrets = secrets;
  }

  void build(List<MountStep> steps) throws IOException {
    namespaceRoot = createTmpfs(new Tmpfs("", NAMESPACE_ROOT_BYTES, 0755));
    for (String name : List.of(ROOT_NAME, EMPTY_NAME)) {
      Linux.createDirectory(namespaceRoot, name, 0755);
    }
    Mounts.restrict(
        namespaceRoot, Mounts.READ_ONLY | Mounts.NO_SETUID | Mounts.NO_DEVICES | Mounts.NO_EXEC);
    attachToHostDirectory(namespaceRoot, task.namespaceRoot());
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
        attach(copyRestricted(files.source().toString(), Mounts.READ_ONLY), files.target());
        if (!secrets.isEmpty()) {
          attach(SecretMemory.createMount(secrets, ids), TaskRootPlan.SECRETS_DIRECTORY);
        }
      }
      case Volumes volumes -> attachVolumes(volumes.binds());
      case SystemView sys ->
          attach(copyRestricted("/sys", Mounts.READ_ONLY | Mounts.NO_EXEC), sys.target());
      case Tmpfs tmpfs -> attach(createTmpfs(tmpfs), tmpfs.target());
      case Terminals terminals -> attach(createDevpts(), terminals.target());
      case DeviceNode node -> createDeviceNode(node);
      case Link link -> {
        FileLocation location = openParent(link.target());
        Linux.createSymbolicLink(location.directory, location.name, link.linkTarget());
        Linux.close(location.directory);
      }
    }
  }

  /**
   * Creates two overlays. The lower overlay is created with an ID without privileges, so that only
   * files that ordinary users of the host can read are readable through it. This does not depend on
   * the privileges that the mapped IDs give the task's root user, and it includes files that are
   * created later. The upper overlay adds the task's own layer.
   */
  private int copyOnWrite(CopyOnWrite view) throws IOException {
    Path lowerMountPoint = task.layerMountPoint(view.layer(), "low");
    Path readableMountPoint = task.layerMountPoint(view.layer(), "seen");
    int hostMount = Mounts.bindDetached(view.source().toString());
    try {
      Mounts.mapIds(hostMount, userNamespace, Mounts.READ_ONLY);
      attachToHostDirectory(hostMount, lowerMountPoint);
    } finally {
      Linux.close(hostMount);
    }
    int readableMount = unprivilegedOverlay(lowerMountPoint);
    try {
      attachToHostDirectory(readableMount, readableMountPoint);
    } finally {
      Linux.close(readableMount);
    }
    Map<String, String> options = new LinkedHashMap<>();
    options.put(
        "lowerdir",
        escapeLayer(commonLayers.resolve(view.layer())) + ":" + escapeLayer(readableMountPoint));
    options.put("upperdir", task.layerDirectory(view.layer(), "upper").toString());
    options.put("workdir", task.layerDirectory(view.layer(), "work").toString());
    // The layer is deleted after the task and need not survive a crash, so it can be volatile.
    options.put("volatile", "");
    return overlay(options);
  }

  /** Escapes a path for a list of layers in the kernel's format. */
  private static String escapeLayer(Path path) {
    return path.toString().replace("\\", "\\\\").replace(":", "\\:");
  }

  /**
   * Creates a read-only overlay with the privileges of {@link #UNPRIVILEGED_ID}. The kernel
   * requires a second layer on another file system; an empty directory serves as this layer.
   */
  private int unprivilegedOverlay(Path lowerMountPoint) throws IOException {
    int lowerLayer = Linux.open(lowerMountPoint.toString(), Linux.O_PATH | Linux.O_DIRECTORY);
    int emptyLayer = Linux.openAt(namespaceRoot, EMPTY_NAME, Linux.O_PATH | Linux.O_DIRECTORY);
    Linux.setFileIds(UNPRIVILEGED_ID);
    try {
      // The layers are passed as descriptors, because this ID cannot enter the server's directory
      // that contains them.
      return overlay(
          Map.of("lowerdir", "/proc/self/fd/" + lowerLayer + ":/proc/self/fd/" + emptyLayer));
    } finally {
      Linux.setFileIds(0);
      Linux.close(lowerLayer);
      Linux.close(emptyLayer);
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
   * Opens all mount points while the root contains no files of users, and then attaches all
   * volumes. Thus concurrent changes by tasks that share a volume cannot change the mount point of
   * another volume.
   */
  private void attachVolumes(List<Bind> volumes) throws IOException {
    List<Integer> mountPoints = new ArrayList<>();
    try {
      for (Bind volume : volumes) {
        mountPoints.add(openVolumeMountPoint(volume.target()));
      }
      checkResolvedPaths(volumes, mountPoints);
      for (int i = 0; i < mountPoints.size(); i++) {
        Bind volume = volumes.get(i);
        int mount =
            copyRestricted(volume.source().toString(), volume.readOnly() ? Mounts.READ_ONLY : 0);
        try {
          Mounts.attach(mount, mountPoints.get(i));
        } finally {
          Linux.close(mount);
        }
      }
    } finally {
      mountPoints.forEach(Linux::close);
    }
  }

  private int openVolumeMountPoint(String target) throws IOException {
    try {
      return openDirectory(target);
    } catch (LinuxException e) {
      throw switch (e.errno()) {
        // The path or one of its parents is a file of the host or a dangling link inside the task.
        case LinuxException.ENOTDIR,
            LinuxException.EEXIST,
            LinuxException.ELOOP,
            LinuxException.ENAMETOOLONG ->
            new VolumeRefusedException(
                "the path "
                    + target
                    + " can't be used in a task: it can't be opened or created as a directory",
                e);
        default -> e;
      };
    }
  }

  /**
   * Checks the resolved paths, because a valid path may have been resolved to an invalid path
   * through a link of the host.
   */
  private void checkResolvedPaths(List<Bind> volumes, List<Integer> mountPoints)
      throws IOException {
    List<String> resolvedPaths = new ArrayList<>();
    for (int i = 0; i < mountPoints.size(); i++) {
      Path path = Files.readSymbolicLink(Path.of("/proc/self/fd/" + mountPoints.get(i)));
      if (!path.startsWith(task.root())) {
        throw new VolumeRefusedException(
            volumes.get(i).target() + " is outside the task's root", null);
      }
      resolvedPaths.add("/" + task.root().relativize(path));
    }
    try {
      VolumeTarget.checkAll(resolvedPaths);
    } catch (EngineException e) {
      throw new VolumeRefusedException(e.getMessage(), e);
    }
  }

  private static int copyRestricted(String source, long attributes) throws IOException {
    int mount = Mounts.bindDetached(source);
    Mounts.restrict(mount, Mounts.NO_SETUID | Mounts.NO_DEVICES | attributes);
    return mount;
  }

  private static int createTmpfs(Tmpfs tmpfs) throws IOException {
    return Mounts.create(
        "tmpfs",
        Map.of("size", Long.toString(tmpfs.bytes()), "mode", Integer.toOctalString(tmpfs.mode())),
        tmpfs.target().equals("/dev") ? Mounts.NO_SETUID : Mounts.NO_SETUID | Mounts.NO_DEVICES);
  }

  /**
   * Mounts the {@code /proc} of a PID namespace, in which the first process of the namespace is
   * invisible to the task. Returns false if the kernel does not support this (before 6.17); then
   * the first process has to mount {@code /proc}.
   *
   * @param firstPid process ID of the first process of the PID namespace
   */
  boolean mountProc(int firstPid) throws IOException {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("hidepid", "invisible");
    options.put("pidns", "/proc/" + firstPid + "/ns/pid");
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
   * Replaces the root of this mount namespace by a read-only file system that contains only the
   * task's root. No other mount of the host remains in the namespace, not even the layers below the
   * task's root, so that {@code ..} does not lead from a directory of the task to the host.
   */
  void enterRoot() throws IOException {
    int mountPoint = Linux.openAt(namespaceRoot, ROOT_NAME, Linux.O_PATH | Linux.O_DIRECTORY);
    try {
      Mounts.attach(root, mountPoint);
    } finally {
      Linux.close(mountPoint);
    }
    Mounts.pivotRoot(namespaceRoot);
  }

  private int createDevpts() throws IOException {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("newinstance", "");
    options.put("ptmxmode", "0666");
    options.put("mode", "0620");
    options.put("gid", Integer.toString(ids.base() + TERMINAL_GROUP));
    return Mounts.create("devpts", options, Mounts.NO_SETUID | Mounts.NO_EXEC);
  }

  private void createDeviceNode(DeviceNode node) throws IOException {
    if (!Files.exists(node.source())) {
      return;
    }
    Map<String, Object> attributes = Files.readAttributes(node.source(), "unix:mode,rdev");
    if (((Integer) attributes.get("mode") & 0170000) != Linux.CHARACTER_DEVICE) {
      return;
    }
    long device = (Long) attributes.get("rdev");
    FileLocation location = openParent(node.target());
    Linux.createNode(location.directory, location.name, Linux.CHARACTER_DEVICE, 0666, device);
    Linux.changeOwner(location.directory, location.name, ids.base(), ids.base());
    Linux.close(location.directory);
  }

  private void attach(int mount, String target) throws IOException {
    try {
      if (target.equals("/")) {
        attachToHostDirectory(mount, task.root());
        root = Linux.open(task.root().toString(), Linux.O_PATH | Linux.O_DIRECTORY);
      } else {
        int mountPoint = openDirectory(target);
        try {
          Mounts.attach(mount, mountPoint);
        } finally {
          Linux.close(mountPoint);
        }
      }
    } finally {
      Linux.close(mount);
    }
  }

  /** Attaches a mount to a directory of the task that only the server can access. */
  private static void attachToHostDirectory(int mount, Path mountPoint) throws IOException {
    int directory = Linux.open(mountPoint.toString(), Linux.O_PATH | Linux.O_DIRECTORY);
    try {
      Mounts.attach(mount, directory);
    } finally {
      Linux.close(directory);
    }
  }

  /** The open parent directory of a file, and the name of the file in it. */
  private record FileLocation(int directory, String name) {}

  private FileLocation openParent(String target) throws IOException {
    int slash = target.lastIndexOf('/');
    return new FileLocation(
        openDirectory(slash == 0 ? "/" : target.substring(0, slash)), target.substring(slash + 1));
  }

  /** Opens a directory of the new root; creates it if necessary. */
  private int openDirectory(String target) throws IOException {
    int flags = Linux.O_PATH | Linux.O_DIRECTORY;
    int existing = Linux.openInRoot(root, target, flags);
    if (existing >= 0) {
      return existing;
    }
    FileLocation location = openParent(target);
    try {
      Linux.createDirectory(location.directory, location.name, 0755);
      Linux.changeOwner(location.directory, location.name, ids.base(), ids.base());
    } finally {
      Linux.close(location.directory);
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
    Linux.close(namespaceRoot);
  }
}
