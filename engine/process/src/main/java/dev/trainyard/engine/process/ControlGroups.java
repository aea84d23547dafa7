package dev.trainyard.engine.process;

import dev.trainyard.model.TaskResources;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Limits memory, CPU and the number of processes with control groups, version 1 or 2. The groups of
 * a task are below the group {@code trainyard}. The name of a group is the task ID with a label of
 * the server as prefix, so that several servers on one host do not delete each other's groups as
 * leftovers. The parent group limits the processes of all tasks together.
 */
final class ControlGroups {
  private static final String PARENT_NAME = "trainyard";
  private static final List<String> CONTROLLERS = List.of("memory", "cpu", "pids");

  /** CPU quota period; the kernel's default for a new group in version 1. */
  private static final int PERIOD_MICROSECONDS = 100_000;

  private static final int MAX_PROCESSES = 16_384;
  private static final Duration REMOVE_TIMEOUT = Duration.ofSeconds(10);

  /**
   * The parent directories: three in version 1, one in version 2. The directory with the memory
   * controller is first.
   */
  private final List<Path> parents;

  private final boolean unified;
  private final String label;

  private ControlGroups(List<Path> parents, boolean unified, String label) {
    this.parents = parents;
    this.unified = unified;
    this.label = label;
  }

  /**
   * Finds the control groups; empty if the kernel or the administrator of the host does not grant
   * access to them.
   */
  static Optional<ControlGroups> find(MountTable mounts, String label) throws IOException {
    return find(mounts, label, ProcessLimits.ofThisHost());
  }

  static Optional<ControlGroups> find(
      MountTable mounts, String label, ProcessLimits processLimits) {
    Optional<ControlGroups> controlGroups =
        findVersion1(mounts, label).or(() -> findVersion2(mounts, label));
    return controlGroups.filter(groups -> groups.prepare(processLimits));
  }

  private static Optional<ControlGroups> findVersion1(MountTable mounts, String label) {
    List<Path> parents = new ArrayList<>();
    for (String controller : CONTROLLERS) {
      mounts.mounts().stream()
          .filter(mount -> mount.type().equals("cgroup") && mount.options().contains(controller))
          .findFirst()
          .ifPresent(mount -> parents.add(mount.mountPoint().resolve(PARENT_NAME)));
    }
    return parents.size() == CONTROLLERS.size()
        ? Optional.of(new ControlGroups(List.copyOf(parents), false, label))
        : Optional.empty();
  }

  private static Optional<ControlGroups> findVersion2(MountTable mounts, String label) {
    return mounts.mounts().stream()
        .filter(mount -> mount.type().equals("cgroup2"))
        .findFirst()
        .map(
            mount ->
                new ControlGroups(List.of(mount.mountPoint().resolve(PARENT_NAME)), true, label));
  }

  private boolean prepare(ProcessLimits processLimits) {
    try {
      for (Path parent : parents) {
        if (unified) {
          Files.writeString(parent.resolveSibling("cgroup.subtree_control"), "+memory +cpu +pids");
        }
        Files.createDirectories(parent);
        if (unified) {
          Files.writeString(parent.resolve("cgroup.subtree_control"), "+memory +cpu +pids");
        }
      }
      Path pidsMaxFile = parents.getLast().resolve("pids.max");
      if (Files.isWritable(pidsMaxFile)) {
        Files.writeString(pidsMaxFile, Long.toString(processLimits.total()));
      }
      // The groups may exist but not be writable, for example if an earlier server ran as root.
      return parents.stream().allMatch(Files::isWritable);
    } catch (IOException e) {
      return false;
    }
  }

  /** Creates the groups of a task if necessary, sets their limits and returns their directories. */
  List<Path> create(String task, TaskResources resources) throws IOException {
    for (Path group : directories(task)) {
      Files.createDirectories(group);
    }
    for (var limit : limits(task, resources).entrySet()) {
      if (Files.exists(limit.getKey())) {
        Files.writeString(limit.getKey(), limit.getValue());
      }
    }
    return directories(task);
  }

  private Map<Path, String> limits(String task, TaskResources resources) {
    List<Path> groups = directories(task);
    // No process could run with a limit of 0, so a request of 0 means no limit.
    long bytes = resources.memory().bytes();
    String memory = bytes == 0 ? (unified ? "max" : "-1") : Long.toString(bytes);
    String quota = Long.toString((long) Math.max(1, resources.cpus()) * PERIOD_MICROSECONDS);
    Map<Path, String> limits = new LinkedHashMap<>();
    if (unified) {
      Path group = groups.getFirst();
      limits.put(group.resolve("memory.max"), memory);
      limits.put(group.resolve("memory.swap.max"), "0");
      limits.put(group.resolve("cpu.max"), quota + " " + PERIOD_MICROSECONDS);
    } else {
      limits.put(groups.get(0).resolve("memory.limit_in_bytes"), memory);
      limits.put(groups.get(0).resolve("memory.memsw.limit_in_bytes"), memory);
      limits.put(groups.get(1).resolve("cpu.cfs_quota_us"), quota);
    }
    limits.put(groups.getLast().resolve("pids.max"), Integer.toString(MAX_PROCESSES));
    return limits;
  }

  List<Path> directories(String task) {
    return parents.stream().map(parent -> parent.resolve(label + "-" + task)).toList();
  }

  /** Returns the names of the tasks that have a group with this server's label. */
  Set<String> taskNames() throws IOException {
    Set<String> tasks = new TreeSet<>();
    for (Path parent : parents) {
      try (var groups = Files.newDirectoryStream(parent, label + "-*")) {
        groups.forEach(
            group -> tasks.add(group.getFileName().toString().substring(label.length() + 1)));
      }
    }
    return tasks;
  }

  /** Returns all processes in the task's groups, whichever process started them. */
  List<ProcessHandle> processes(String task) throws IOException {
    Path processFile = directories(task).getFirst().resolve("cgroup.procs");
    if (!Files.exists(processFile)) {
      return List.of();
    }
    return Files.readAllLines(processFile).stream()
        .map(Long::parseLong)
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .toList();
  }

  /** Kills the remaining processes in the groups and deletes the groups. */
  void remove(String task) throws IOException {
    long deadline = System.nanoTime() + REMOVE_TIMEOUT.toNanos();
    for (Path group : directories(task)) {
      while (!delete(group)) {
        if (System.nanoTime() > deadline) {
          throw new IOException("failed to kill all processes of " + task);
        }
        processes(task).forEach(ProcessHandle::destroyForcibly);
        KernelPollDelay.pause();
      }
    }
  }

  /**
   * Deletes a group. Returns false if the group is busy because it has processes, or because its
   * last process has just ended.
   */
  private static boolean delete(Path group) {
    try {
      Files.deleteIfExists(group);
      return true;
    } catch (DirectoryNotEmptyException e) {
      return false;
    } catch (IOException e) {
      return !Files.exists(group);
    }
  }
}
