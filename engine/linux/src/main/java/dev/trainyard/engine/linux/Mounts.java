package dev.trainyard.engine.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;

/**
 * The kernel's descriptor-based mount interface. Source and target are both opened first, so that
 * no path is resolved twice. A mount created here is detached until {@link #attach}.
 */
public final class Mounts {
  public static final long READ_ONLY = 1;
  public static final long NO_SETUID = 2;
  public static final long NO_DEVICES = 4;
  public static final long NO_EXEC = 8;
  private static final long ID_MAPPED = 0x00100000;

  private static final int PRIVATE = 1 << 18;
  private static final int RECURSIVE = 1 << 14;
  private static final int EMPTY_PATH = 0x1000;

  private Mounts() {}

  /**
   * Stops the propagation of mounts between this thread's namespace and the host's, in both
   * directions.
   */
  public static void makeAllPrivate() throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      long root = Linux.text(arena, "/");
      Linux.call("make mounts private", SystemCall.MOUNT, 0, root, 0, PRIVATE | RECURSIVE, 0);
    }
  }

  /** Creates a second, detached mount of a directory or file, without the mounts below it. */
  public static int bindDetached(String path) throws LinuxException {
    int clone = 1;
    int cloexec = 0x80000;
    int noFollow = 0x100;
    try (Arena arena = Arena.ofConfined()) {
      return (int)
          Linux.call(
              "bind " + path,
              SystemCall.OPEN_TREE,
              Linux.AT_FDCWD,
              Linux.text(arena, path),
              clone | cloexec | noFollow);
    }
  }

  public static void restrict(int mount, long attributes) throws LinuxException {
    setAttributes(mount, attributes, 0);
  }

  /**
   * Maps file ownership: through this mount, files of ID n on the host belong to ID n of the user
   * namespace.
   */
  public static void mapIds(int mount, int userNamespace) throws LinuxException {
    mapIds(mount, userNamespace, 0);
  }

  /**
   * Like {@link #mapIds(int, int)}, but also restricts the mount.
   *
   * @param attributes restrictions such as {@link #READ_ONLY}
   */
  public static void mapIds(int mount, int userNamespace, long attributes) throws LinuxException {
    setAttributes(mount, ID_MAPPED | attributes, userNamespace);
  }

  private static void setAttributes(int mount, long attributes, int userNamespace)
      throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributeStruct = arena.allocate(32, 8);
      attributeStruct.set(ValueLayout.JAVA_LONG, 0, attributes);
      attributeStruct.set(ValueLayout.JAVA_LONG, 16, PRIVATE);
      attributeStruct.set(ValueLayout.JAVA_LONG, 24, userNamespace);
      Linux.call(
          (attributes & ID_MAPPED) != 0 ? "map IDs of a mount" : "restrict a mount",
          SystemCall.MOUNT_SETATTR,
          mount,
          Linux.text(arena, ""),
          EMPTY_PATH,
          attributeStruct.address(),
          attributeStruct.byteSize());
    }
  }

  /** Creates a new, detached mount of a file system. */
  public static int create(String type, Map<String, String> options, long attributes)
      throws LinuxException {
    int setFlag = 0;
    int setString = 1;
    int createCommand = 6;
    int fileSystem = -1;
    try (Arena arena = Arena.ofConfined()) {
      fileSystem = (int) Linux.call("open " + type, SystemCall.FSOPEN, Linux.text(arena, type), 1);
      for (var option : options.entrySet()) {
        boolean flag = option.getValue().isEmpty();
        Linux.call(
            "set " + option.getKey() + " of " + type,
            SystemCall.FSCONFIG,
            fileSystem,
            flag ? setFlag : setString,
            Linux.text(arena, option.getKey()),
            flag ? 0 : Linux.text(arena, option.getValue()),
            0);
      }
      Linux.call("create " + type, SystemCall.FSCONFIG, fileSystem, createCommand, 0, 0, 0);
      return (int) Linux.call("mount " + type, SystemCall.FSMOUNT, fileSystem, 1, attributes);
    } finally {
      Linux.close(fileSystem);
    }
  }

  /** Attaches a detached mount to an open mount point. */
  public static void attach(int mount, int mountPoint) throws LinuxException {
    int fromEmptyPath = 0x04;
    int toEmptyPath = 0x40;
    try (Arena arena = Arena.ofConfined()) {
      long empty = Linux.text(arena, "");
      Linux.call(
          "attach a mount",
          SystemCall.MOVE_MOUNT,
          mount,
          empty,
          mountPoint,
          empty,
          fromEmptyPath | toEmptyPath);
    }
  }

  /** Unmounts the topmost mount of a path, even if it is in use. */
  public static void detach(String mountPoint) throws LinuxException {
    int detach = 2;
    int noFollow = 8;
    try (Arena arena = Arena.ofConfined()) {
      long path = Linux.text(arena, mountPoint);
      Linux.call("unmount " + mountPoint, SystemCall.UMOUNT2, path, detach | noFollow);
    }
  }

  /**
   * Replaces the root of this thread's mount namespace and unmounts the previous root with all its
   * mounts. The thread must have a mount namespace that no other thread uses.
   *
   * @param root an opened directory, which is the root of an attached mount
   */
  public static void pivotRoot(int root) throws LinuxException {
    int detach = 2;
    Linux.call("enter the new root", SystemCall.FCHDIR, root);
    try (Arena arena = Arena.ofConfined()) {
      long currentDirectory = Linux.text(arena, ".");
      // The previous root is then mounted on top of the new one, from where it is unmounted.
      Linux.call(
          "change the root of the namespace",
          SystemCall.PIVOT_ROOT,
          currentDirectory,
          currentDirectory);
      Linux.call("unmount the previous root", SystemCall.UMOUNT2, currentDirectory, detach);
    }
  }
}
