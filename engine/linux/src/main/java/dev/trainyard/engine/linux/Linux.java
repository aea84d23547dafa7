package dev.trainyard.engine.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * System calls that Java does not provide. They use {@code syscall}, so that each call affects only
 * the calling thread, even where the C library would apply it to the whole process.
 */
public final class Linux {
  public static final int AT_FDCWD = -100;
  public static final int O_PATH = 0x200000;
  public static final int O_DIRECTORY = SystemCall.ARM ? 0x4000 : 0x10000;
  public static final int O_NOFOLLOW = SystemCall.ARM ? 0x8000 : 0x20000;
  private static final int O_CLOEXEC = 0x80000;

  public static final int NEW_MOUNTS = 0x00020000;
  public static final int NEW_HOST_NAME = 0x04000000;
  public static final int NEW_IPC = 0x08000000;
  public static final int NEW_PIDS = 0x20000000;

  public static final int CHARACTER_DEVICE = 0020000;
  public static final int FIFO = 0010000;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout ERRNO = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO_VALUE =
      ERRNO.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final MethodHandle SYSCALL =
      LINKER.downcallHandle(
          LINKER.defaultLookup().find("syscall").orElseThrow(),
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG),
          Linker.Option.firstVariadicArg(1),
          Linker.Option.captureCallState("errno"));

  private Linux() {}

  /** Performs a system call with up to five arguments; the caller allocates strings. */
  public static long call(String operation, SystemCall call, long... values) throws LinuxException {
    long[] arguments = new long[5];
    System.arraycopy(values, 0, arguments, 0, values.length);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(ERRNO);
      long result = invoke(state, call.number(), arguments);
      if (result < 0) {
        throw new LinuxException(operation, (int) ERRNO_VALUE.get(state, 0L));
      }
      return result;
    }
  }

  /** A method handle call, which declares Throwable but throws no checked exception. */
  private interface Downcall<X extends Throwable> {
    long call() throws X;
  }

  @SuppressWarnings("unchecked") // X appears in no value, only in the throws clause
  private static long invoke(MemorySegment state, long number, long[] arguments) {
    Downcall<Throwable> declared =
        () ->
            (long)
                SYSCALL.invokeExact(
                    state,
                    number,
                    arguments[0],
                    arguments[1],
                    arguments[2],
                    arguments[3],
                    arguments[4]);
    return ((Downcall<RuntimeException>) (Downcall<?>) declared).call();
  }

  public static int open(String path, int flags) throws LinuxException {
    return openAt(AT_FDCWD, path, flags);
  }

  public static int openAt(int directory, String path, int flags) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      return (int)
          call(
              "open " + path,
              SystemCall.OPENAT,
              directory,
              text(arena, path),
              flags | O_CLOEXEC,
              0);
    }
  }

  /** Opens a file whose name is not necessarily valid text. */
  public static int openAt(int directory, byte[] name, int flags) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(name.length + 1L);
      MemorySegment.copy(name, 0, text, ValueLayout.JAVA_BYTE, 0, name.length);
      return (int) call("open", SystemCall.OPENAT, directory, text.address(), flags | O_CLOEXEC, 0);
    }
  }

  /**
   * Opens a path as if {@code root} were the root directory: no link and no ".." can leave it.
   * Returns -1 instead of throwing an exception if the file does not exist.
   */
  public static int openInRoot(int root, String path, int flags) throws LinuxException {
    long noMagicLinks = 0x02;
    long inRoot = 0x10;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment openHow = arena.allocate(24, 8);
      openHow.set(ValueLayout.JAVA_LONG, 0, flags | O_CLOEXEC);
      openHow.set(ValueLayout.JAVA_LONG, 16, inRoot | noMagicLinks);
      long text = text(arena, path);
      MemorySegment state = arena.allocate(ERRNO);
      long[] values = {root, text, openHow.address(), openHow.byteSize(), 0};
      long result = invoke(state, SystemCall.OPENAT2.number(), values);
      int errno = (int) ERRNO_VALUE.get(state, 0L);
      if (result < 0 && errno != LinuxException.ENOENT) {
        throw new LinuxException("open " + path, errno);
      }
      return (int) result;
    }
  }

  /** Returns whether the kernel and its seccomp filters permit {@link #openInRoot}. */
  static boolean canOpenInRoot() {
    int root = -1;
    int opened = -1;
    try {
      root = open("/", O_PATH | O_DIRECTORY);
      opened = openInRoot(root, ".", O_PATH);
      return opened >= 0;
    } catch (LinuxException e) {
      return e.errno() != LinuxException.ENOSYS && e.errno() != LinuxException.EPERM;
    } finally {
      close(opened);
      close(root);
    }
  }

  /** Flushes the file system of a directory to disk. */
  public static void syncFileSystem(Path directory) throws LinuxException {
    // O_PATH is not set, because a descriptor with O_PATH cannot be synced.
    int descriptor = open(directory.toString(), O_DIRECTORY);
    try {
      call("flush the disk of " + directory, SystemCall.SYNCFS, descriptor);
    } finally {
      close(descriptor);
    }
  }

  /** Closes a descriptor; has no effect if the number is negative. */
  public static void close(int descriptor) {
    if (descriptor < 0) {
      return;
    }
    try {
      call("close", SystemCall.CLOSE, descriptor);
    } catch (LinuxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes all bytes; blocks if necessary. */
  public static void writeAll(int descriptor, byte[] bytes) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
      long writtenCount = 0;
      while (writtenCount < bytes.length) {
        try {
          writtenCount +=
              call(
                  "write",
                  SystemCall.WRITE,
                  descriptor,
                  copy.address() + writtenCount,
                  bytes.length - writtenCount);
        } catch (LinuxException e) {
          if (e.errno() != LinuxException.EINTR) {
            throw e;
          }
        }
      }
    }
  }

  public static void unshare(int namespaces) throws LinuxException {
    call("create new namespaces", SystemCall.UNSHARE, namespaces);
  }

  /** Moves this thread to an open namespace. */
  public static void enterNamespace(int namespace) throws LinuxException {
    call("enter a namespace", SystemCall.SETNS, namespace, 0);
  }

  /**
   * Replaces the session keyring by an empty one, because a process that possesses the keys of the
   * account that started the server can read them.
   */
  public static void joinNewKeyring() throws LinuxException {
    int joinSessionKeyring = 1;
    call("create a new session keyring", SystemCall.KEYCTL, joinSessionKeyring, 0);
  }

  public static void setHostName(String name) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      int length = name.getBytes(StandardCharsets.UTF_8).length;
      call("set the host name", SystemCall.SETHOSTNAME, text(arena, name), length);
    }
  }

  public static void createDirectory(int directory, String name, int mode) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      call("create directory " + name, SystemCall.MKDIRAT, directory, text(arena, name), mode);
    }
  }

  /** Creates a device or a FIFO with exactly this mode, regardless of the umask. */
  public static void createNode(int directory, String name, int type, int mode, long device)
      throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      long path = text(arena, name);
      call("create " + name, SystemCall.MKNODAT, directory, path, type | mode, device);
      call("set the mode of " + name, SystemCall.FCHMODAT, directory, path, mode);
    }
  }

  /** Changes the mode of a file that no task can reach yet; follows symbolic links. */
  public static void changeMode(String path, int mode) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      call("set the mode of " + path, SystemCall.FCHMODAT, AT_FDCWD, text(arena, path), mode);
    }
  }

  /**
   * Requests that the file system places each new subdirectory of this directory far from the other
   * subdirectories. If a file system places the subdirectories close together, creating a file has
   * to skip every recently deleted file, which dominates the cost when hundreds of tasks are
   * created and removed. This is a hint only, which few file systems support.
   */
  public static void spreadSubdirectories(Path directory) throws LinuxException {
    long getFlags = 0x80086601L;
    long setFlags = 0x40086602L;
    int topOfHierarchies = 0x20000;
    int descriptor = open(directory.toString(), O_DIRECTORY);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(8, 8);
      call("read flags", SystemCall.IOCTL, descriptor, getFlags, value.address());
      value.set(ValueLayout.JAVA_INT, 0, value.get(ValueLayout.JAVA_INT, 0) | topOfHierarchies);
      call("set flags", SystemCall.IOCTL, descriptor, setFlags, value.address());
    } catch (LinuxException e) {
      if (!e.isNotSupported()) {
        throw e;
      }
    } finally {
      close(descriptor);
    }
  }

  public static void createSymbolicLink(int directory, String name, String target)
      throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      call("link " + name, SystemCall.SYMLINKAT, text(arena, target), directory, text(arena, name));
    }
  }

  public static void changeOwner(int directory, String name, int owner, int group)
      throws LinuxException {
    int noFollow = 0x100;
    try (Arena arena = Arena.ofConfined()) {
      call(
          "change the owner of " + name,
          SystemCall.FCHOWNAT,
          directory,
          text(arena, name),
          owner,
          group,
          noFollow);
    }
  }

  public static void setExtendedAttribute(String path, String name, String value)
      throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      call(
          "set " + name + " of " + path,
          SystemCall.LSETXATTR,
          text(arena, path),
          text(arena, name),
          text(arena, value),
          value.length(),
          0);
    }
  }

  /**
   * Sets the user and the group with which this thread accesses files: an ID that owns no files, or
   * root again. For an ID that owns no files, the kernel also drops the thread's capabilities for
   * files; for root, it restores them.
   */
  public static void setFileIds(int id) throws LinuxException {
    call("set groups", SystemCall.SETGROUPS, 0, 0);
    call("set file group", SystemCall.SETFSGID, id);
    call("set file user", SystemCall.SETFSUID, id);
  }

  /** Allocates a C string and returns its address. */
  public static long text(Arena arena, String text) {
    return arena.allocateFrom(text).address();
  }
}
