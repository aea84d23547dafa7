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

/** A snapshot of all processes of the host: parents and memory. */
final class ProcessTree {
  private static final int PARENT = 4;
  private static final int RESIDENT = 24;
  private static final int PAGE = 4096;

  /** Maximum number of descriptors of one task that one check reads. */
  private static final int MOST_DESCRIPTORS = 20_000;

  private final Map<Integer, List<Integer>> children = new HashMap<>();
  private final Map<Integer, Long> resident = new HashMap<>();

  private long filesAtMost = Long.MAX_VALUE / 2;

  private ProcessTree() {}

  static ProcessTree read() {
    ProcessTree tree = new ProcessTree();
    try (var all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : all) {
        tree.add(process);
      }
      tree.filesAtMost = MemoryFiles.atMost(Files.readAllLines(Path.of("/proc/meminfo")));
    } catch (IOException | DirectoryIteratorException e) {
      // an incomplete snapshot is harmless, because the next check follows soon
    }
    return tree;
  }

  private void add(Path process) {
    try {
      String stat = Files.readString(process.resolve("stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ", -1);
      int pid = Integer.parseInt(process.getFileName().toString());
      int parent = Integer.parseInt(fields[PARENT - 3]);
      resident.put(pid, Long.parseLong(fields[RESIDENT - 3]) * PAGE);
      children.computeIfAbsent(parent, _ -> new ArrayList<>()).add(pid);
    } catch (IOException e) {
      // ended
    }
  }

  /**
   * Returns whether a process and all its descendants together use more memory than this.
   *
   * @param incomplete called if they have more open descriptors than one check reads
   */
  boolean usesMoreThan(long bytes, int first, Runnable incomplete) {
    List<Integer> all = all(first);
    // This sum counts shared pages for each process, but is cheap to compute.
    long atMost = all.stream().mapToLong(pid -> resident.getOrDefault(pid, 0L)).sum();
    if (atMost + filesAtMost <= bytes) {
      return false;
    }
    // Each check begins with another process, so that none is always omitted.
    Collections.rotate(all, ThreadLocalRandom.current().nextInt(all.size()));
    MemoryFiles files = MemoryFiles.openIn(all, MOST_DESCRIPTORS);
    if (!files.complete()) {
      incomplete.run();
    }
    return atMost + files.bytes() > bytes
        && all.stream().mapToLong(ProcessTree::ownShare).sum() - files.mappedBy(all) + files.bytes()
            > bytes;
  }

  private static long ownShare(int pid) {
    try (var lines = Files.lines(Path.of("/proc/" + pid + "/smaps_rollup"))) {
      return lines
          .filter(line -> line.startsWith("Pss:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException | UncheckedIOException e) {
      return 0; // ended
    }
  }

  /** Returns a process and all its descendants. */
  List<Integer> all(int first) {
    List<Integer> found = new ArrayList<>();
    Deque<Integer> open = new ArrayDeque<>(List.of(first));
    while (!open.isEmpty()) {
      int pid = open.pop();
      found.add(pid);
      open.addAll(children.getOrDefault(pid, List.of()));
    }
    return found;
  }
}
