package dev.trainyard.engine.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** A snapshot of the parents and the memory of all processes of the host. */
final class ProcessTree {
  private static final int PARENT_FIELD = 4;
  private static final int RESIDENT_FIELD = 24;
  private static final int PAGE_SIZE = 4096;

  /** Maximum number of descriptors of one task that one check reads. */
  private static final int MAX_DESCRIPTORS = 20_000;

  private final Map<Integer, List<Integer>> children = new HashMap<>();
  private final Map<Integer, Long> residentBytes = new HashMap<>();

  private long maxMemoryFileBytes = Long.MAX_VALUE / 2;

  private ProcessTree() {}

  static ProcessTree read() {
    ProcessTree tree = new ProcessTree();
    try (var directories = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : directories) {
        tree.add(process);
      }
      tree.maxMemoryFileBytes =
          MemoryFiles.maxTotalBytes(Files.readAllLines(Path.of("/proc/meminfo")));
    } catch (IOException | DirectoryIteratorException e) {
      // An incomplete snapshot has no consequences, because the next check follows soon.
    }
    return tree;
  }

  private void add(Path process) {
    try {
      String stat = Files.readString(process.resolve("stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ", -1);
      int pid = Integer.parseInt(process.getFileName().toString());
      int parent = Integer.parseInt(fields[PARENT_FIELD - 3]);
      residentBytes.put(pid, Long.parseLong(fields[RESIDENT_FIELD - 3]) * PAGE_SIZE);
      children.computeIfAbsent(parent, _ -> new ArrayList<>()).add(pid);
    } catch (IOException e) {
      // The process has ended.
    }
  }

  /**
   * Returns whether a process and all its descendants together use more than {@code bytes} of
   * memory.
   *
   * @param onIncomplete called if the processes have more open descriptors than one check reads
   */
  boolean usesMoreThan(long bytes, int rootPid, Runnable onIncomplete) {
    List<Integer> pids = withDescendants(rootPid);
    // This sum counts shared pages once for each process, but it is cheap to compute.
    long maxBytes = pids.stream().mapToLong(pid -> residentBytes.getOrDefault(pid, 0L)).sum();
    if (maxBytes + maxMemoryFileBytes <= bytes) {
      return false;
    }
    // Each check begins with a random process, so that no process is omitted by every check.
    Collections.rotate(pids, ThreadLocalRandom.current().nextInt(pids.size()));
    MemoryFiles files = MemoryFiles.findOpen(pids, MAX_DESCRIPTORS);
    if (!files.complete()) {
      onIncomplete.run();
    }
    return maxBytes + files.bytes() > bytes
        && pids.stream().mapToLong(ProcessTree::proportionalShare).sum()
                - files.mappedBytes(pids)
                + files.bytes()
            > bytes;
  }

  private static long proportionalShare(int pid) {
    try (var lines = Files.lines(Path.of("/proc/" + pid + "/smaps_rollup"))) {
      return lines
          .filter(line -> line.startsWith("Pss:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException | UncheckedIOException e) {
      return 0; // the process has ended
    }
  }

  /** Returns a process and all its descendants. */
  List<Integer> withDescendants(int rootPid) {
    List<Integer> pids = new ArrayList<>();
    Deque<Integer> pendingPids = new ArrayDeque<>(List.of(rootPid));
    while (!pendingPids.isEmpty()) {
      int pid = pendingPids.pop();
      pids.add(pid);
      pendingPids.addAll(children.getOrDefault(pid, List.of()));
    }
    return pids;
  }
}
