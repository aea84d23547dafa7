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
 * A file or directory held by the kernel, so that it stays the same whatever its owner does with
 * the name. Opened without any effect: not even a pipe without a writer makes us wait. Its {@link
 * #path} is used like any other.
 */
public final class Descriptor implements AutoCloseable {
  private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");
  private static final int O_PATH = 0x200000;
  private static final int O_CLOEXEC = 0x80000;
  private static final int O_DIRECTORY = ARM ? 0x4000 : 0x10000;
  private static final int O_NOFOLLOW = ARM ? 0x8000 : 0x20000;
  private static final int ENOENT = 2;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(java.lang.foreign.MemoryLayout.PathElement.groupElement("errno"));
  private static final MethodHandle OPEN =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("open"),
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
          Linker.Option.firstVariadicArg(2),
          Linker.Option.captureCallState("errno"));
  private static final MethodHandle CLOSE = simple("close");
  private static final MethodHandle SYNC = simple("syncfs");

  private final int number;

  private Descriptor(int number) {
    this.number = number;
  }

  private static MethodHandle simple(String name) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  }

  /** The last part of the path is not followed if it is a link. */
  static Descriptor directory(Path path) throws IOException {
    return open(path, O_PATH | O_NOFOLLOW | O_DIRECTORY);
  }

  public static Descriptor file(Path path) throws IOException {
    return open(path, O_PATH | O_NOFOLLOW);
  }

  private static Descriptor open(Path path, int flags) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      byte[] name = RawName.of(path).getBytes(StandardCharsets.ISO_8859_1);
      MemorySegment text = arena.allocate(name.length + 1L);
      MemorySegment.copy(name, 0, text, ValueLayout.JAVA_BYTE, 0, name.length);
      MemorySegment state = arena.allocate(STATE);
      int number = invoke(() -> (int) OPEN.invokeExact(state, text, flags | O_CLOEXEC));
      if (number < 0) {
        int error = (int) ERRNO.get(state, 0L);
        throw error == ENOENT
            ? new NoSuchFileException(path.toString())
            : new IOException(path + " can't be opened: error " + error);
      }
      return new Descriptor(number);
    }
  }

  /** Writes what the file system of a directory still has in memory. */
  static void sync(Path directory) throws IOException {
    // Not O_PATH: such a descriptor can't be synced.
    try (Descriptor opened = open(directory, O_DIRECTORY)) {
      if (invoke(() -> (int) SYNC.invokeExact(opened.number)) < 0) {
        throw new IOException("the disk of " + directory + " did not take everything");
      }
    }
  }

  public Path path() {
    return Path.of("/proc/self/fd/" + number);
  }

  @Override
  public void close() {
    invoke(() -> (int) CLOSE.invokeExact(number));
  }

  /** A handle's call, which declares Throwable and throws nothing that must be caught. */
  private interface Downcall<X extends Throwable> {
    int call() throws X;
  }

  @SuppressWarnings("unchecked") // X appears in no value, only in what is declared as thrown
  private static int invoke(Downcall<Throwable> declared) {
    return ((Downcall<RuntimeException>) (Downcall<?>) declared).call();
  }
}
