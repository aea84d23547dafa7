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
 * One user namespace per platform user, created once and held by a descriptor. Files and processes
 * of a user's tasks have no privileges on the host or toward other users' tasks. Thread-safe.
 */
public final class UserNamespaces implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final long PAUSE_NANOS = 100_000;
  private static final int SIGKILL = 9;

  /**
   * Sets the limit of processes, which also applies to a user namespace created with it. A lower
   * hard limit that this process cannot raise is kept.
   */
  static final String LIMITED =
      """
      ulimit -u "$1" 2>/dev/null || ulimit -p "$1" 2>/dev/null ||
        [ "$(ulimit -H -u 2>/dev/null || ulimit -H -p)" -lt "$1" ] || exit 1
      shift; exec "$@"
      """;

  private static final Logger LOG = LoggerFactory.getLogger(UserNamespaces.class);

  private final UnaryOperator<String> tools;
  private final Map<List<String>, Integer> open = new HashMap<>();
  private boolean byRoot;

  /**
   * @param tools returns the absolute path of a program on the host
   */
  public UserNamespaces(UnaryOperator<String> tools) {
    this.tools = tools;
  }

  /**
   * Returns the namespace of a platform user, created under the user's first host ID. The kernel
   * charges per-user resources (processes, inotify watches, pending signals) to the creator of the
   * namespace too, and must not charge them to root.
   *
   * <p>If the kernel allows only root to create user namespaces, root creates it. This is detected
   * with {@link IdRange#spare}, which therefore must be the first range.
   *
   * @param processes maximum number of processes and threads of all tasks of the user together
   * @return a descriptor that stays open until {@link #close}
   */
  public synchronized int of(IdRange range, long processes) throws IOException {
    List<String> key = List.of(range.mapping(), range.mapping());
    Integer known = open.get(key);
    if (known == null) {
      known = createAs(range, processes);
      open.put(key, known);
    }
    return known;
  }

  private int createAs(IdRange range, long processes) throws IOException {
    String id = Integer.toString(range.base());
    List<String> command =
        List.of(
            tools.apply("sh"),
            "-c",
            LIMITED,
            "sh",
            Long.toString(processes),
            tools.apply("setpriv"),
            "--reuid=" + id,
            "--regid=" + id,
            "--clear-groups");
    try {
      return create(byRoot ? List.of() : command, range.mapping(), range.mapping());
    } catch (IOException e) {
      if (byRoot || !range.equals(IdRange.spare())) {
        throw e; // for example because the user has reached the limit of processes
      }
      LOG.warn("only root can create user namespaces here; user limits are charged to root", e);
      byRoot = true;
      return create(List.of(), range.mapping(), range.mapping());
    }
  }

  /**
   * Returns a namespace with these mappings, in the format of the kernel.
   *
   * @return a descriptor that stays open until {@link #close}
   */
  public synchronized int of(String users, String groups) throws IOException {
    List<String> key = List.of(users, groups);
    Integer known = open.get(key);
    if (known == null) {
      known = create(List.of(), users, groups);
      open.put(key, known);
    }
    return known;
  }

  /**
   * @param before command prefix of the command that creates the namespace
   */
  private int create(List<String> before, String users, String groups) throws IOException {
    List<String> command = new ArrayList<>(before);
    command.add(tools.apply("unshare"));
    command.add("--user");
    command.add(tools.apply("sleep"));
    command.add(Long.toString(DEADLINE.toSeconds()));
    PidFd holder = Spawn.of(command).environment(Map.of("PATH", Spawn.TOOL_PATH)).start();
    try {
      Path process = Path.of("/proc", Integer.toString(holder.pid()));
      awaitOwnNamespace(holder, process);
      Files.writeString(process.resolve("uid_map"), users);
      Files.writeString(process.resolve("gid_map"), groups);
      return Linux.open(process.resolve("ns/user").toString(), 0);
    } finally {
      holder.signal(SIGKILL);
    }
  }

  private static void awaitOwnNamespace(PidFd holder, Path process) throws IOException {
    Path ours = Files.readSymbolicLink(Path.of("/proc/self/ns/user"));
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (Files.readSymbolicLink(process.resolve("ns/user")).equals(ours)) {
      if (!holder.isRunning()) {
        throw new IOException("failed to create a user namespace");
      }
      if (System.nanoTime() > end) {
        throw new IOException("no user namespace within " + DEADLINE.toSeconds() + " s");
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  @Override
  public synchronized void close() {
    open.values().forEach(Linux::close);
    open.clear();
  }
}
