package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.SystemCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Memory files created by {@code memfd_create}. Their memory counts for the processes that have
 * them open, even if no process maps them. A file that is in transit in a socket message and open
 * nowhere is not found.
 *
 * @param sizes bytes of allocated memory, by inode
 * @param complete whether all descriptors were read
 */
record MemoryFiles(Map<Long, Long> sizes, boolean complete) {
  private static final String NAME = "/memfd:";
  private static final int BASIC = 0x7ff;
  private static final int INODE = 32;
  private static final int BLOCKS = 48;
  private static final int BLOCK = 512;
  private static final int KILOBYTE = 1024;

  /** First line of a mapping in {@code smaps}: addresses, mode, offset, device, inode, name. */
  private static final Pattern MAPPING =
      Pattern.compile("[0-9a-f]+-[0-9a-f]+ \\S+ \\S+ \\S+ (\\d+) +(.*)");

  private static final Pattern AMOUNT = Pattern.compile("(Pss|Anonymous): +(\\d+) kB");
  private static final Pattern IN_MEMORY = Pattern.compile("(?:Shmem|Hugetlb): +(\\d+) kB");

  /**
   * Finds the memory files that these processes have open.
   *
   * @param most maximum number of descriptors to read; the others are ignored
   */
  static MemoryFiles openIn(List<Integer> processes, int most) {
    Map<Long, Long> sizes = new HashMap<>();
    int left = most;
    for (int process : processes) {
      try (var all = Files.newDirectoryStream(Path.of("/proc/" + process + "/fd"))) {
        for (Path descriptor : all) {
          if (left == 0) {
            return new MemoryFiles(sizes, false);
          }
          left--;
          add(descriptor, sizes);
        }
      } catch (IOException | DirectoryIteratorException e) {
        // ended
      }
    }
    return new MemoryFiles(sizes, true);
  }

  /**
   * Returns an upper bound for the total size of such files on the host.
   *
   * @param meminfo lines of {@code /proc/meminfo}
   */
  static long atMost(List<String> meminfo) {
    return meminfo.stream()
        .map(IN_MEMORY::matcher)
        .filter(Matcher::matches)
        .mapToLong(line -> Long.parseLong(line.group(1)) * KILOBYTE)
        .sum();
  }

  private static void add(Path descriptor, Map<Long, Long> sizes) {
    try (Arena arena = Arena.ofConfined()) {
      if (Files.readSymbolicLink(descriptor).toString().startsWith(NAME)) {
        MemorySegment info = arena.allocate(256, 8);
        long path = Linux.text(arena, descriptor.toString());
        Linux.call("stat", SystemCall.STATX, Linux.AT_FDCWD, path, 0, BASIC, info.address());
        long blocks = info.get(ValueLayout.JAVA_LONG, BLOCKS);
        sizes.put(info.get(ValueLayout.JAVA_LONG, INODE), blocks * BLOCK);
      }
    } catch (IOException e) {
      // closed
    }
  }

  long bytes() {
    return sizes.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Returns how much of the processes' proportional memory is in these files and therefore counted
   * twice; for one file at most its size.
   */
  long mappedBy(List<Integer> processes) {
    Map<Long, Long> mapped = new HashMap<>();
    for (int process : sizes.isEmpty() ? List.<Integer>of() : processes) {
      try (Stream<String> lines = Files.lines(Path.of("/proc/" + process + "/smaps"))) {
        addMapped(lines, mapped);
      } catch (IOException | UncheckedIOException e) {
        // ended
      }
    }
    return mapped.entrySet().stream()
        .mapToLong(file -> Math.min(file.getValue(), sizes.get(file.getKey())))
        .sum();
  }

  /**
   * Adds the amount that a process maps of these files. Pages that it wrote in a private mapping
   * are private and no longer belong to the file.
   *
   * @param smaps lines of {@code /proc/PID/smaps}
   * @param mapped bytes by inode
   */
  void addMapped(Stream<String> smaps, Map<Long, Long> mapped) {
    long[] inode = {0};
    long[] share = {0};
    smaps.forEachOrdered(
        line -> {
          Matcher mapping = MAPPING.matcher(line);
          Matcher amount = AMOUNT.matcher(line);
          if (mapping.matches()) {
            inode[0] = mapping.group(2).startsWith(NAME) ? Long.parseLong(mapping.group(1)) : 0;
          } else if (sizes.containsKey(inode[0]) && amount.matches()) {
            long bytes = Long.parseLong(amount.group(2)) * KILOBYTE;
            if (amount.group(1).equals("Pss")) {
              share[0] = bytes;
            } else {
              mapped.merge(inode[0], Math.max(0, share[0] - bytes), Long::sum);
            }
          }
        });
  }
}
