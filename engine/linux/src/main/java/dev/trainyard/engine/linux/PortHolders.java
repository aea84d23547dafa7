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
 * kernel lists, and by the address of every other socket, because the kernel does not list a socket
 * that is bound but neither listens nor is connected. Only root finds the processes of other
 * accounts.
 */
public final class PortHolders {
  private static final int LOCAL_ADDRESS_FIELD = 1;
  private static final int OWNER_FIELD = 7;
  private static final int INODE_FIELD = 9;
  private static final int HEXADECIMAL = 16;

  private final int port;

  /** Texts of the symbolic links to the sockets in {@code /proc/<pid>/fd}. */
  private final Set<String> socketLinks = new HashSet<>();

  private final Set<Integer> owners = new HashSet<>();
  private boolean hasClosedConnection;

  private PortHolders(int port) {
    this.port = port;
  }

  public static PortHolders of(int port) {
    PortHolders holders = new PortHolders(port);
    for (String table : List.of("tcp", "tcp6")) {
      try {
        Files.readAllLines(Path.of("/proc/net", table)).forEach(holders::add);
      } catch (IOException e) {
        // The kernel does not have this protocol.
      }
    }
    return holders;
  }

  private void add(String line) {
    String[] fields = line.strip().split(" +", -1);
    if (fields.length <= INODE_FIELD || !fields[LOCAL_ADDRESS_FIELD].contains(":")) {
      return; // The line contains the headings.
    }
    String localPort =
        fields[LOCAL_ADDRESS_FIELD].substring(fields[LOCAL_ADDRESS_FIELD].indexOf(':') + 1);
    if (Integer.parseInt(localPort, HEXADECIMAL) != port) {
      return;
    }
    if (fields[INODE_FIELD].equals("0")) {
      hasClosedConnection = true;
    } else {
      socketLinks.add("socket:[" + fields[INODE_FIELD] + "]");
      owners.add(Integer.parseUnsignedInt(fields[OWNER_FIELD]));
    }
  }

  /** Returns whether only closed connections, which belong to no process, occupy the port. */
  public boolean isLeftover() {
    return hasClosedConnection && socketLinks.isEmpty();
  }

  /**
   * Returns whether a user of this range created one of the sockets. This also finds the owner of a
   * socket that no process has open because it is in transit in a message to another socket.
   */
  public boolean isOwnedBy(IdRange range) {
    return owners.stream().anyMatch(range::contains);
  }

  /** Returns the IDs of all processes that hold the port. */
  public List<Integer> processes() {
    List<Integer> pids = new ArrayList<>();
    try (var entries = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : entries) {
        int pid = Integer.parseInt(process.getFileName().toString());
        if (isHeldBy(pid)) {
          pids.add(pid);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // The processes found so far are returned.
    }
    return pids;
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
      return "?"; // The process has ended.
    }
  }

  private boolean isHeldBy(int pid) {
    int pidFd = -1;
    try (var entries = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
      for (Path descriptor : entries) {
        String link = readLink(descriptor);
        if (socketLinks.contains(link)) {
          return true;
        }
        if (link.startsWith("socket:")) {
          if (pidFd < 0) {
            pidFd = (int) Linux.call("open process " + pid, SystemCall.PIDFD_OPEN, pid, 0);
          }
          if (isBound(pidFd, Integer.parseInt(descriptor.getFileName().toString()))) {
            return true;
          }
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // The process has ended, or its descriptors are not readable.
    } finally {
      Linux.close(pidFd);
    }
    return false;
  }

  private static String readLink(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return ""; // The descriptor was closed.
    }
  }

  /** Returns whether a socket of another process is a TCP socket with this local port. */
  private boolean isBound(int pidFd, int descriptor) {
    int socket = -1;
    try (Arena arena = Arena.ofConfined()) {
      socket = (int) Linux.call("copy", SystemCall.PIDFD_GETFD, pidFd, descriptor, 0);
      return isStream(arena, socket) && localPort(arena, socket) == port;
    } catch (LinuxException e) {
      return false; // The descriptor was closed, or the kernel does not allow the copy.
    } finally {
      Linux.close(socket);
    }
  }

  private static boolean isStream(Arena arena, int socket) throws LinuxException {
    int socketLevel = 1;
    int socketType = 3;
    int streamType = 1;
    MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
    MemorySegment size = arena.allocate(ValueLayout.JAVA_INT);
    size.set(ValueLayout.JAVA_INT, 0, Integer.BYTES);
    Linux.call(
        "getsockopt",
        SystemCall.GETSOCKOPT,
        socket,
        socketLevel,
        socketType,
        value.address(),
        size.address());
    return value.get(ValueLayout.JAVA_INT, 0) == streamType;
  }

  /** Returns the local port; -1 for a socket of another address family. */
  private static int localPort(Arena arena, int socket) throws LinuxException {
    int ipv4 = 2;
    int ipv6 = 10;
    int maxBytes = 128;
    MemorySegment address = arena.allocate(maxBytes, Long.BYTES);
    MemorySegment size = arena.allocate(ValueLayout.JAVA_INT);
    size.set(ValueLayout.JAVA_INT, 0, maxBytes);
    Linux.call("getsockname", SystemCall.GETSOCKNAME, socket, address.address(), size.address());
    int family = address.get(ValueLayout.JAVA_SHORT, 0);
    return family == ipv4 || family == ipv6
        ? Byte.toUnsignedInt(address.get(ValueLayout.JAVA_BYTE, 2)) << Byte.SIZE
            | Byte.toUnsignedInt(address.get(ValueLayout.JAVA_BYTE, 3))
        : -1;
  }
}
