package dev.trainyard.engine.process;

import dev.trainyard.machine.Linux;
import dev.trainyard.machine.SystemCall;
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
 * Files in memory that were made by {@code memfd_create}. Their memory counts for the processes
 * that have them open, also where no process maps them. Sent in a message and open nowhere, a file
 * is not found.
 *
 * @param sizes bytes of allocated memory, by inode
 */
record MemoryFiles(Map<Long, Long> sizes) {
  private static final String NAME = "/memfd:";
  private static final int BASIC = 0x7ff;
  private static final int INODE = 32;
  private static final int BLOCKS = 48;
  private static final int BLOCK = 512;
  private static final int KILOBYTE = 1024;

  /** First line of a mapping in {@code smaps}: addresses, mode, offset, device, inode, name. */
  private static final Pattern MAPPING =
      Pattern.compile("[0-9a-f]+-[0-9a-f]+ \\S+ \\S+ \\S+ (\\d+) +(.*)");

  private static final Pattern SHARE = Pattern.compile("Pss: +(\\d+) kB");

  /** The files that these processes have open. */
  static MemoryFiles openIn(List<Integer> processes) {
    Map<Long, Long> sizes = new HashMap<>();
    for (int process : processes) {
      try (var all = Files.newDirectoryStream(Path.of("/proc/" + process + "/fd"))) {
        for (Path descriptor : all) {
          add(descriptor, sizes);
        }
      } catch (IOException | DirectoryIteratorException e) {
        // ended
      }
    }
    return new MemoryFiles(sizes);
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

  /** How much of a process's share of memory is in these files, and so counted twice. */
  long mappedBy(int process) {
    if (sizes.isEmpty()) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + process + "/smaps"))) {
      return mapped(lines);
    } catch (IOException | UncheckedIOException e) {
      return 0; // ended
    }
  }

  /**
   * @param smaps lines of {@code /proc/PID/smaps}
   */
  long mapped(Stream<String> smaps) {
    long[] bytes = {0};
    boolean[] ours = {false};
    smaps.forEachOrdered(
        line -> {
          Matcher mapping = MAPPING.matcher(line);
          Matcher share = SHARE.matcher(line);
          if (mapping.matches()) {
            ours[0] =
                mapping.group(2).startsWith(NAME)
                    && sizes.containsKey(Long.valueOf(mapping.group(1)));
          } else if (ours[0] && share.matches()) {
            bytes[0] += Long.parseLong(share.group(1)) * KILOBYTE;
          }
        });
    return bytes[0];
  }
}
