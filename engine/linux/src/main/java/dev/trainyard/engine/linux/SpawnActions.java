package dev.trainyard.engine.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * The C library's {@code posix_spawn} with its file actions. It neither copies the memory of this
 * process nor runs Java code in the child.
 */
public final class SpawnActions implements AutoCloseable {
  /** Size of the structures, larger than in any C library. */
  private static final int STRUCT_BYTES = 1024;

  private static final short SET_SIGNAL_DEFAULTS = 0x04;
  private static final short SET_SIGNAL_MASK = 0x08;
  private static final short SET_SESSION = 0x80;

  private static final MemoryLayout INT = ValueLayout.JAVA_INT;
  private static final MemoryLayout POINTER = ValueLayout.ADDRESS;

  private static final MethodHandle SPAWN =
      function("posix_spawn", POINTER, POINTER, POINTER, POINTER, POINTER, POINTER);
  private static final MethodHandle ATTRIBUTES_INIT = function("posix_spawnattr_init", POINTER);
  private static final MethodHandle ATTRIBUTES_DESTROY =
      function("posix_spawnattr_destroy", POINTER);
  private static final MethodHandle FLAGS =
      function("posix_spawnattr_setflags", POINTER, ValueLayout.JAVA_SHORT);
  private static final MethodHandle DEFAULTS =
      function("posix_spawnattr_setsigdefault", POINTER, POINTER);
  private static final MethodHandle MASK = function("posix_spawnattr_setsigmask", POINTER, POINTER);
  private static final MethodHandle FILL = function("sigfillset", POINTER);
  private static final MethodHandle EMPTY = function("sigemptyset", POINTER);
  private static final MethodHandle ACTIONS_INIT =
      function("posix_spawn_file_actions_init", POINTER);
  private static final MethodHandle ACTIONS_DESTROY =
      function("posix_spawn_file_actions_destroy", POINTER);
  private static final MethodHandle DUPLICATE =
      function("posix_spawn_file_actions_adddup2", POINTER, INT, INT);
  private static final MethodHandle OPEN =
      function("posix_spawn_file_actions_addopen", POINTER, INT, POINTER, INT, INT);
  private static final MethodHandle CLOSE =
      function("posix_spawn_file_actions_addclose", POINTER, INT);
  private static final MethodHandle DIRECTORY =
      function("posix_spawn_file_actions_addchdir_np", POINTER, POINTER);

  /**
   * Empty if the C library is too old; then the descriptors of the server are closed by their
   * close-on-exec flag.
   */
  private static final Optional<MethodHandle> CLOSE_FROM =
      find("posix_spawn_file_actions_addclosefrom_np", POINTER, INT);

  private final Arena arena;
  private final MemorySegment attributes;
  private final MemorySegment actions;

  public SpawnActions(Arena arena) throws LinuxException {
    this.arena = arena;
    attributes = arena.allocate(STRUCT_BYTES, 16);
    actions = arena.allocate(STRUCT_BYTES, 16);
    MemorySegment allSignals = arena.allocate(STRUCT_BYTES, 16);
    MemorySegment noSignals = arena.allocate(STRUCT_BYTES, 16);
    call("prepare to start a program", () -> (int) ATTRIBUTES_INIT.invokeExact(attributes));
    call("prepare to start a program", () -> (int) ACTIONS_INIT.invokeExact(actions));
    call("prepare to start a program", () -> (int) FILL.invokeExact(allSignals));
    call("prepare to start a program", () -> (int) EMPTY.invokeExact(noSignals));
    call("prepare to start a program", () -> (int) DEFAULTS.invokeExact(attributes, allSignals));
    call("prepare to start a program", () -> (int) MASK.invokeExact(attributes, noSignals));
    short flags = SET_SIGNAL_DEFAULTS | SET_SIGNAL_MASK | SET_SESSION;
    call("prepare to start a program", () -> (int) FLAGS.invokeExact(attributes, flags));
  }

  public void duplicate(int source, int target) throws LinuxException {
    call("pass a descriptor", () -> (int) DUPLICATE.invokeExact(actions, source, target));
  }

  public void open(int target, String file, int flags) throws LinuxException {
    MemorySegment path = arena.allocateFrom(file);
    call("open " + file, () -> (int) OPEN.invokeExact(actions, target, path, flags, 0));
  }

  public void close(int descriptor) throws LinuxException {
    call("close a descriptor", () -> (int) CLOSE.invokeExact(actions, descriptor));
  }

  public void closeFrom(int firstDescriptor) throws LinuxException {
    if (CLOSE_FROM.isPresent()) {
      MethodHandle closeFrom = CLOSE_FROM.get();
      call("close descriptors", () -> (int) closeFrom.invokeExact(actions, firstDescriptor));
    }
  }

  public void changeDirectory(String directory) throws LinuxException {
    MemorySegment path = arena.allocateFrom(directory);
    call("enter " + directory, () -> (int) DIRECTORY.invokeExact(actions, path));
  }

  /** Starts the program and returns its process ID. */
  public int spawn(String program, MemorySegment arguments, MemorySegment environment)
      throws LinuxException {
    MemorySegment pid = arena.allocate(ValueLayout.JAVA_INT);
    MemorySegment path = arena.allocateFrom(program);
    call(
        "start " + program,
        () -> (int) SPAWN.invokeExact(pid, path, actions, attributes, arguments, environment));
    return pid.get(ValueLayout.JAVA_INT, 0);
  }

  @Override
  public void close() throws LinuxException {
    call("release spawn attributes", () -> (int) ACTIONS_DESTROY.invokeExact(actions));
    call("release spawn attributes", () -> (int) ATTRIBUTES_DESTROY.invokeExact(attributes));
  }

  private interface Downcall<X extends Throwable> {
    int call() throws X;
  }

  /**
   * Calls a function and throws an exception for a nonzero result, because these functions return
   * the error instead of setting errno.
   */
  @SuppressWarnings("unchecked") // X appears in no value, only in the throws clause
  private static void call(String operation, Downcall<Throwable> function) throws LinuxException {
    int error = ((Downcall<RuntimeException>) (Downcall<?>) function).call();
    if (error != 0) {
      throw new LinuxException(operation, error);
    }
  }

  private static MethodHandle function(String name, MemoryLayout... parameters) {
    return find(name, parameters).orElseThrow();
  }

  private static Optional<MethodHandle> find(String name, MemoryLayout... parameters) {
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find(name)
        .map(
            address ->
                linker.downcallHandle(
                    address, FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters)));
  }
}
