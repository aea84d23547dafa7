package dev.trainyard.engine.testkit;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * A lease on a file, like the leases that a task can take: every ordinary open of the file waits
 * until the kernel revokes the lease, 45 seconds after the first open.
 */
public final class FileLease implements AutoCloseable {
  private static final int O_RDWR = 2;
  private static final int F_SETOWN = 8;
  private static final int F_SETLEASE = 1024;
  private static final int F_WRLCK = 1;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle OPEN =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("open"),
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle FCNTL =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("fcntl"),
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle CLOSE =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("close"),
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  private final int descriptor;

  private FileLease(int descriptor) {
    this.descriptor = descriptor;
  }

  /** Takes a lease on a file that no process has open. */
  public static FileLease take(Path file) throws IOException {
    int descriptor;
    try (Arena arena = Arena.ofConfined()) {
      var path = arena.allocateFrom(file.toString());
      descriptor = call(() -> (int) OPEN.invokeExact(path, O_RDWR));
    }
    if (descriptor < 0) {
      throw new IOException("failed to open " + file);
    }
    FileLease lease = new FileLease(descriptor);
    if (call(() -> (int) FCNTL.invokeExact(descriptor, F_SETLEASE, F_WRLCK)) < 0
        // Without an owner, the kernel does not send this process a signal when it revokes the
        // lease.
        || call(() -> (int) FCNTL.invokeExact(descriptor, F_SETOWN, 0)) < 0) {
      lease.close();
      throw new IOException("failed to take a lease on " + file);
    }
    return lease;
  }

  @Override
  public void close() {
    call(() -> (int) CLOSE.invokeExact(descriptor));
  }

  /** A call through a method handle, which declares Throwable but throws no checked exception. */
  private interface Downcall<X extends Throwable> {
    int call() throws X;
  }

  @SuppressWarnings("unchecked") // X is used only in the throws clause
  private static int call(Downcall<Throwable> downcall) {
    return ((Downcall<RuntimeException>) (Downcall<?>) downcall).call();
  }
}
