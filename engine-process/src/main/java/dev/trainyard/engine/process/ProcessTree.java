package dev.trainyard.engine.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All processes of the machine at one moment: who started whom, and what memory each has. */
final class ProcessTree {
  private static final int PARENT = 4;
  private static final int RESIDENT = 24;
  private static final int PAGE = 4096;

  private final Map<Integer, List<Integer>> children = new HashMap<>();
  private final Map<Integer, Long> resident = new HashMap<>();

  private ProcessTree() {}

  static ProcessTree read() {
    ProcessTree tree = new ProcessTree();
    try (var all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : all) {
        tree.add(process);
      }
    } catch (IOException | DirectoryIteratorException e) {
      // what was read is as good as nothing, and the next look comes soon
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
      // gone
    }
  }

  /** Whether a process and all below it together have more memory than this. */
  boolean usesMoreThan(long bytes, int first) {
    List<Integer> all = all(first);
    MemoryFiles files = MemoryFiles.openIn(all);
    // Pages that processes share are counted for each at first: that costs little to find out.
    long atMost = all.stream().mapToLong(pid -> resident.getOrDefault(pid, 0L)).sum();
    return atMost + files.bytes() > bytes
        && all.stream().mapToLong(pid -> ownShare(pid) - files.mappedBy(pid)).sum() + files.bytes()
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
      return 0; // gone
    }
  }

  private List<Integer> all(int first) {
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
