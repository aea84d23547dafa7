package dev.trainyard.server.backup;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * An open descriptor of a file or directory. The descriptor refers to the same file even if the
 * owner of the file renames or replaces it. Opening has no side effect, and does not block even for
 * a pipe without a writer. The result of {@link #path} can be used like any other path.
 */
public final class Descriptor implements AutoCloseable {
  private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");
  private static final int O_PATH = 0x200000;
  private static final int O_CLOEXEC = 0x80000;
  private static final int O_DIRECTORY = ARM ? 0x4000 : 0x10000;
  private static final int O_NOFOLLOW = ARM ? 0x8000 : 0x20000;
  private static final int ENOENT = 2;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      CALL_STATE.varHandle(java.lang.foreign.MemoryLayout.PathElement.groupElement("errno"));
  private static final MethodHandle OPEN =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("open"),
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
          Linker.Option.firstVariadicArg(2),
          Linker.Option.captureCallState("errno"));
  private static final MethodHandle CLOSE = intFunction("close");
  private static final MethodHandle SYNC = intFunction("syncfs");

  private final int fd;

  private Descriptor(int fd) {
    this.fd = fd;
  }

  private static MethodHandle intFunction(String name) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  }

  /** Opens a directory; fails if the last part of the path is a symbolic link. */
  static Descriptor directory(Path path) throws IOException {
    return open(path, O_PATH | O_NOFOLLOW | O_DIRECTORY);
  }

  public static Descriptor file(Path path) throws IOException {
    return open(path, O_PATH | O_NOFOLLOW);
  }

  private static Descriptor open(Path path, int flags) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      byte[] name = RawName.of(path).getBytes(StandardCharsets.ISO_8859_1);
      MemorySegment nativePath = arena.allocate(name.length + 1L);
      MemorySegment.copy(name, 0, nativePath, ValueLayout.JAVA_BYTE, 0, name.length);
      MemorySegment callState = arena.allocate(CALL_STATE);
      int fd = invoke(() -> (int) OPEN.invokeExact(callState, nativePath, flags | O_CLOEXEC));
      if (fd < 0) {
        int error = (int) ERRNO.get(callState, 0L);
        throw error == ENOENT
            ? new NoSuchFileException(path.toString())
            : new IOException("failed to open " + path + ": errno " + error);
      }
      return new Descriptor(fd);
    }
  }

  /** Flushes the file system of a directory to disk. */
  static void sync(Path directory) throws IOException {
    // O_PATH is not set, because a descriptor with O_PATH cannot be synced.
    try (Descriptor descriptor = open(directory, O_DIRECTORY)) {
      if (invoke(() -> (int) SYNC.invokeExact(descriptor.fd)) < 0) {
        throw new IOException("failed to flush the disk of " + directory);
      }
    }
  }

  public Path path() {
    return Path.of("/proc/self/fd/" + fd);
  }

  @Override
  public void close() {
    invoke(() -> (int) CLOSE.invokeExact(fd));
  }

  /** A call through a method handle, which declares Throwable but throws no checked exception. */
  private interface Downcall<X extends Throwable> {
    int call() throws X;
  }

  @SuppressWarnings("unchecked") // X is used only in the throws clause
  private static int invoke(Downcall<Throwable> downcall) {
    return ((Downcall<RuntimeException>) (Downcall<?>) downcall).call();
  }
}
