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
 * Memory files created by {@code memfd_create}. Their memory is attributed to the processes that
 * have them open, even if no process maps them. A file that no process has open because its
 * descriptor is in transit in a socket message is not found.
 *
 * @param sizes bytes of allocated memory, by inode
 * @param complete whether all descriptors were read
 */
record MemoryFiles(Map<Long, Long> sizes, boolean complete) {
  private static final String NAME_PREFIX = "/memfd:";
  private static final int STATX_BASIC_STATS = 0x7ff;
  private static final int INODE_OFFSET = 32;
  private static final int BLOCKS_OFFSET = 48;
  private static final int BLOCK_SIZE = 512;
  private static final int KILOBYTE = 1024;

  /** First line of a mapping in {@code smaps}: addresses, mode, offset, device, inode, name. */
  private static final Pattern MAPPING =
      Pattern.compile("[0-9a-f]+-[0-9a-f]+ \\S+ \\S+ \\S+ (\\d+) +(.*)");

  private static final Pattern AMOUNT = Pattern.compile("(Pss|Anonymous): +(\\d+) kB");
  private static final Pattern SHARED_MEMORY_LINE =
      Pattern.compile("(?:Shmem|Hugetlb): +(\\d+) kB");

  /**
   * Finds the memory files that these processes have open.
   *
   * @param maxDescriptors maximum number of descriptors to read; the others are ignored
   */
  static MemoryFiles findOpen(List<Integer> processes, int maxDescriptors) {
    Map<Long, Long> sizes = new HashMap<>();
    int remainingDescriptors = maxDescriptors;
    for (int process : processes) {
      try (var descriptors = Files.newDirectoryStream(Path.of("/proc/" + process + "/fd"))) {
        for (Path descriptor : descriptors) {
          if (remainingDescriptors == 0) {
            return new MemoryFiles(sizes, false);
          }
          remainingDescriptors--;
          addIfMemoryFile(descriptor, sizes);
        }
      } catch (IOException | DirectoryIteratorException e) {
        // The process has ended.
      }
    }
    return new MemoryFiles(sizes, true);
  }

  /**
   * Returns an upper bound for the total size of such files on the host.
   *
   * @param meminfo lines of {@code /proc/meminfo}
   */
  static long maxTotalBytes(List<String> meminfo) {
    return meminfo.stream()
        .map(SHARED_MEMORY_LINE::matcher)
        .filter(Matcher::matches)
        .mapToLong(line -> Long.parseLong(line.group(1)) * KILOBYTE)
        .sum();
  }

  private static void addIfMemoryFile(Path descriptor, Map<Long, Long> sizes) {
    try (Arena arena = Arena.ofConfined()) {
      if (Files.readSymbolicLink(descriptor).toString().startsWith(NAME_PREFIX)) {
        MemorySegment info = arena.allocate(256, 8);
        long path = Linux.text(arena, descriptor.toString());
        Linux.call(
            "stat", SystemCall.STATX, Linux.AT_FDCWD, path, 0, STATX_BASIC_STATS, info.address());
        long blocks = info.get(ValueLayout.JAVA_LONG, BLOCKS_OFFSET);
        sizes.put(info.get(ValueLayout.JAVA_LONG, INODE_OFFSET), blocks * BLOCK_SIZE);
      }
    } catch (IOException e) {
      // The descriptor was closed.
    }
  }

  long bytes() {
    return sizes.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Returns how many bytes of the processes' proportional memory (Pss) belong to these files and
   * are therefore counted twice. The result includes at most the size of each file.
   */
  long mappedBytes(List<Integer> processes) {
    Map<Long, Long> mappedBytes = new HashMap<>();
    for (int process : sizes.isEmpty() ? List.<Integer>of() : processes) {
      try (Stream<String> lines = Files.lines(Path.of("/proc/" + process + "/smaps"))) {
        addMappedBytes(lines, mappedBytes);
      } catch (IOException | UncheckedIOException e) {
        // The process has ended.
      }
    }
    return mappedBytes.entrySet().stream()
        .mapToLong(file -> Math.min(file.getValue(), sizes.get(file.getKey())))
        .sum();
  }

  /**
   * Adds the number of bytes that a process maps of these files. Pages that the process wrote in a
   * private mapping are not counted, because they no longer belong to the file.
   *
   * @param smaps lines of {@code /proc/PID/smaps}
   * @param mappedBytes bytes by inode
   */
  void addMappedBytes(Stream<String> smaps, Map<Long, Long> mappedBytes) {
    long[] inode = {0};
    long[] share = {0};
    smaps.forEachOrdered(
        line -> {
          Matcher mapping = MAPPING.matcher(line);
          Matcher amount = AMOUNT.matcher(line);
          if (mapping.matches()) {
            inode[0] =
                mapping.group(2).startsWith(NAME_PREFIX) ? Long.parseLong(mapping.group(1)) : 0;
          } else if (sizes.containsKey(inode[0]) && amount.matches()) {
            long bytes = Long.parseLong(amount.group(2)) * KILOBYTE;
            if (amount.group(1).equals("Pss")) {
              share[0] = bytes;
            } else {
              mappedBytes.merge(inode[0], Math.max(0, share[0] - bytes), Long::sum);
            }
          }
        });
  }
}
