package dev.trainyard.engine.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * User namespaces of platform users. Each namespace is created once and kept by an open descriptor.
 * Because of the namespaces, the processes of a user's tasks have no privileges on the host or
 * toward other users' tasks. Thread-safe.
 */
public final class UserNamespaces implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final long PAUSE_NANOS = 100_000;
  private static final int SIGKILL = 9;

  /**
   * Shell script that sets the process limit and then runs a command. The limit also applies to a
   * user namespace that the command creates. A lower hard limit that this process cannot raise is
   * kept.
   */
  static final String LIMIT_SCRIPT =
      """
      ulimit -u "$1" 2>/dev/null || ulimit -p "$1" 2>/dev/null ||
        [ "$(ulimit -H -u 2>/dev/null || ulimit -H -p)" -lt "$1" ] || exit 1
      shift; exec "$@"
      """;

  private static final Logger LOG = LoggerFactory.getLogger(UserNamespaces.class);

  private final UnaryOperator<String> toolPath;
  private final Map<List<String>, Integer> descriptors = new HashMap<>();
  private boolean createdByRoot;

  /**
   * @param toolPath returns the absolute path of a program on the host
   */
  public UserNamespaces(UnaryOperator<String> toolPath) {
    this.toolPath = toolPath;
  }

  /**
   * Returns the namespace of a platform user, created under the user's first host ID. The kernel
   * charges per-user resources (processes, inotify watches, pending signals) to the creator of the
   * namespace too, and it must not charge them to root.
   *
   * <p>If the kernel allows only root to create user namespaces, root creates the namespace. This
   * is detected when the namespace of {@link IdRange#unused} is created, so the first call must be
   * for that range.
   *
   * @param maxProcesses maximum number of processes and threads of all tasks of the user together
   * @return a descriptor that stays open until {@link #close}
   */
  public synchronized int of(IdRange range, long maxProcesses) throws IOException {
    List<String> key = List.of(range.mapping(), range.mapping());
    Integer descriptor = descriptors.get(key);
    if (descriptor == null) {
      descriptor = createAsUser(range, maxProcesses);
      descriptors.put(key, descriptor);
    }
    return descriptor;
  }

  private int createAsUser(IdRange range, long maxProcesses) throws IOException {
    String id = Integer.toString(range.base());
    List<String> command =
        List.of(
            toolPath.apply("sh"),
            "-c",
            LIMIT_SCRIPT,
            "sh",
            Long.toString(maxProcesses),
            toolPath.apply("setpriv"),
            "--reuid=" + id,
            "--regid=" + id,
            "--clear-groups");
    try {
      return create(createdByRoot ? List.of() : command, range.mapping(), range.mapping());
    } catch (IOException e) {
      if (createdByRoot || !range.equals(IdRange.unused())) {
        throw e; // for example because the user has reached the limit of processes
      }
      LOG.warn("only root can create user namespaces here; user limits are charged to root", e);
      createdByRoot = true;
      return create(List.of(), range.mapping(), range.mapping());
    }
  }

  /**
   * Returns a namespace with these mappings, in the format of the kernel.
   *
   * @return a descriptor that stays open until {@link #close}
   */
  public synchronized int of(String userMapping, String groupMapping) throws IOException {
    List<String> key = List.of(userMapping, groupMapping);
    Integer descriptor = descriptors.get(key);
    if (descriptor == null) {
      descriptor = create(List.of(), userMapping, groupMapping);
      descriptors.put(key, descriptor);
    }
    return descriptor;
  }

  /**
   * @param prefix words before the command that creates the namespace
   */
  private int create(List<String> prefix, String userMapping, String groupMapping)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(toolPath.apply("unshare"));
    command.add("--user");
    command.add(toolPath.apply("sleep"));
    command.add(Long.toString(DEADLINE.toSeconds()));
    PidFd holder = Spawn.of(command).environment(Map.of("PATH", Spawn.TOOL_PATH)).start();
    try {
      Path processDirectory = Path.of("/proc", Integer.toString(holder.pid()));
      awaitOwnNamespace(holder, processDirectory);
      Files.writeString(processDirectory.resolve("uid_map"), userMapping);
      Files.writeString(processDirectory.resolve("gid_map"), groupMapping);
      return Linux.open(processDirectory.resolve("ns/user").toString(), 0);
    } finally {
      holder.signal(SIGKILL);
    }
  }

  private static void awaitOwnNamespace(PidFd holder, Path processDirectory) throws IOException {
    Path serverNamespace = Files.readSymbolicLink(Path.of("/proc/self/ns/user"));
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    while (Files.readSymbolicLink(processDirectory.resolve("ns/user")).equals(serverNamespace)) {
      if (!holder.isRunning()) {
        throw new IOException("failed to create a user namespace");
      }
      if (System.nanoTime() > deadline) {
        throw new IOException(
            "failed to create a user namespace within " + DEADLINE.toSeconds() + " s");
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  @Override
  public synchronized void close() {
    descriptors.values().forEach(Linux::close);
    descriptors.clear();
  }
}
