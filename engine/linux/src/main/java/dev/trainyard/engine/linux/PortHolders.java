package dev.trainyard.engine.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the processes that hold a local TCP port of this network namespace: by the sockets that the
 * kernel lists, and by the address of each other socket, because a socket that is bound but neither
 * listens nor is connected is not listed. Other accounts' processes are found only by root.
 */
public final class PortHolders {
  private static final int LOCAL = 1;
  private static final int OWNER = 7;
  private static final int INODE = 9;
  private static final int HEX = 16;

  private final int port;

  /** Texts of the links to the sockets in {@code /proc/<pid>/fd}. */
  private final Set<String> sockets = new HashSet<>();

  private final Set<Integer> owners = new HashSet<>();
  private boolean leftover;

  private PortHolders(int port) {
    this.port = port;
  }

  public static PortHolders of(int port) {
    PortHolders holders = new PortHolders(port);
    for (String table : List.of("tcp", "tcp6")) {
      try {
        Files.readAllLines(Path.of("/proc/net", table)).forEach(holders::add);
      } catch (IOException e) {
        // a kernel without this protocol
      }
    }
    return holders;
  }

  private void add(String line) {
    String[] fields = line.strip().split(" +", -1);
    if (fields.length <= INODE || !fields[LOCAL].contains(":")) {
      return; // the headings
    }
    String local = fields[LOCAL].substring(fields[LOCAL].indexOf(':') + 1);
    if (Integer.parseInt(local, HEX) != port) {
      return;
    }
    if (fields[INODE].equals("0")) {
      leftover = true;
    } else {
      sockets.add("socket:[" + fields[INODE] + "]");
      owners.add(Integer.parseUnsignedInt(fields[OWNER]));
    }
  }

  /** Returns whether only closed connections, which belong to no process, occupy the port. */
  public boolean isLeftover() {
    return leftover && sockets.isEmpty();
  }

  /**
   * Returns whether a user of this range created one of the sockets. This also attributes a socket
   * that no process has open, because it is in transit in a message to another socket.
   */
  public boolean isOwnedBy(IdRange range) {
    return owners.stream().anyMatch(range::contains);
  }

  /** Returns the IDs of all processes that hold the port. */
  public List<Integer> processes() {
    List<Integer> found = new ArrayList<>();
    try (var all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : all) {
        int pid = Integer.parseInt(process.getFileName().toString());
        if (isHeldBy(pid)) {
          found.add(pid);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // returns the processes found so far
    }
    return found;
  }

  /** Returns the process IDs and program names of the processes, for display. */
  public List<String> describe() {
    return processes().stream().map(pid -> "process " + pid + " (" + program(pid) + ")").toList();
  }

  private static String program(int pid) {
    try {
      byte[] name = Files.readAllBytes(Path.of("/proc", Integer.toString(pid), "comm"));
      // A process chooses this text itself.
      return new String(name, StandardCharsets.UTF_8).strip().replaceAll("[^\\x20-\\x7e]", "?");
    } catch (IOException e) {
      return "?"; // ended
    }
  }

  private boolean isHeldBy(int pid) {
    int process = -1;
    try (var all = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
      for (Path descriptor : all) {
        String link = link(descriptor);
        if (sockets.contains(link)) {
          return true;
        }
        if (link.startsWith("socket:")) {
          if (process < 0) {
            process = (int) Linux.call("open process " + pid, SystemCall.PIDFD_OPEN, pid, 0);
          }
          if (isBound(process, Integer.parseInt(descriptor.getFileName().toString()))) {
            return true;
          }
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // ended, or not readable
    } finally {
      Linux.close(process);
    }
    return false;
  }

  private static String link(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return ""; // closed
    }
  }

  /** Returns whether a socket of another process is a TCP socket with this local port. */
  private boolean isBound(int process, int descriptor) {
    int socket = -1;
    try (Arena arena = Arena.ofConfined()) {
      socket = (int) Linux.call("copy", SystemCall.PIDFD_GETFD, process, descriptor, 0);
      return isStream(arena, socket) && localPort(arena, socket) == port;
    } catch (LinuxException e) {
      return false; // closed, or the kernel does not allow it
    } finally {
      Linux.close(socket);
    }
  }

  private static boolean isStream(Arena arena, int socket) throws LinuxException {
    int socketLevel = 1;
    int type = 3;
    int stream = 1;
    MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
    MemorySegment size = arena.allocate(ValueLayout.JAVA_INT);
    size.set(ValueLayout.JAVA_INT, 0, Integer.BYTES);
    Linux.call(
        "getsockopt",
        SystemCall.GETSOCKOPT,
        socket,
        socketLevel,
        type,
        value.address(),
        size.address());
    return value.get(ValueLayout.JAVA_INT, 0) == stream;
  }

  /** Returns -1 for a socket of another family. */
  private static int localPort(Arena arena, int socket) throws LinuxException {
    int internet = 2;
    int internet6 = 10;
    int longest = 128;
    MemorySegment address = arena.allocate(longest, Long.BYTES);
    MemorySegment size = arena.allocate(ValueLayout.JAVA_INT);
    size.set(ValueLayout.JAVA_INT, 0, longest);
    Linux.call("getsockname", SystemCall.GETSOCKNAME, socket, address.address(), size.address());
    int family = address.get(ValueLayout.JAVA_SHORT, 0);
    return family == internet || family == internet6
        ? Byte.toUnsignedInt(address.get(ValueLayout.JAVA_BYTE, 2)) << Byte.SIZE
            | Byte.toUnsignedInt(address.get(ValueLayout.JAVA_BYTE, 3))
        : -1;
  }
}
