package dev.trainyard.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/**
 * One user namespace per platform user, made once and held by a descriptor: what a user's tasks own
 * means nothing to the machine or to the tasks of others. Thread-safe.
 */
public final class UserNamespaces implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final long PAUSE_NANOS = 100_000;
  private static final int SIGKILL = 9;

  private final UnaryOperator<String> tools;
  private final Map<List<String>, Integer> open = new HashMap<>();

  /**
   * @param tools the absolute path of a program of the machine
   */
  public UserNamespaces(UnaryOperator<String> tools) {
    this.tools = tools;
  }

  /** A descriptor that stays open until {@link #close}. */
  public int of(IdRange range) throws IOException {
    return of(range.mapping(), range.mapping());
  }

  /**
   * One with these mappings, as the kernel wants them.
   *
   * @return a descriptor that stays open until {@link #close}
   */
  public synchronized int of(String users, String groups) throws IOException {
    List<String> key = List.of(users, groups);
    Integer known = open.get(key);
    if (known == null) {
      known = make(users, groups);
      open.put(key, known);
    }
    return known;
  }

  private int make(String users, String groups) throws IOException {
    String patience = Long.toString(DEADLINE.toSeconds());
    PidFd holder =
        Spawn.of(List.of(tools.apply("unshare"), "--user", tools.apply("sleep"), patience))
            .environment(Map.of("PATH", Spawn.TOOL_PATH))
            .start();
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
        throw new IOException("user namespaces can't be made");
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
