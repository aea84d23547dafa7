package dev.trainyard.engine.process;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Waits for the ends of any number of processes, with one thread and one descriptor for all of
 * them, for as long as this Java lives.
 */
final class Exits {
  private static final int ADD = 1;
  private static final int REMOVE = 2;
  private static final int READABLE = 1;
  private static final int AT_ONCE = 64;

  /** Packed on one architecture and not on the other. */
  private static final int EVENT_BYTES = SystemCall.ARM ? 16 : 12;

  private static final int DATA_OFFSET = SystemCall.ARM ? 8 : 4;

  private static final Map<Integer, PidFd> AWAITED = new ConcurrentHashMap<>();
  private static final int EPOLL = start();

  private Exits() {}

  /**
   * Starts the thread, if there is none. To be called from a thread in the server's own namespaces.
   */
  static void begin() {
    if (EPOLL < 0) {
      throw new IllegalStateException();
    }
  }

  static void await(PidFd process) throws LinuxException {
    AWAITED.put(process.descriptor(), process);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment event = arena.allocate(EVENT_BYTES, 8);
      event.set(ValueLayout.JAVA_INT, 0, READABLE);
      event.set(ValueLayout.JAVA_INT_UNALIGNED, DATA_OFFSET, process.descriptor());
      Linux.call(
          "wait for a process",
          SystemCall.EPOLL_CTL,
          EPOLL,
          ADD,
          process.descriptor(),
          event.address());
    }
  }

  private static int start() {
    try {
      int cloexec = 0x80000;
      int epoll = (int) Linux.call("wait for processes", SystemCall.EPOLL_CREATE1, cloexec);
      Thread.ofPlatform().daemon().name("engine-exits").start(() -> follow(epoll));
      return epoll;
    } catch (LinuxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void follow(int epoll) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment events = arena.allocate((long) EVENT_BYTES * AT_ONCE, 8);
      while (true) {
        long count = next(epoll, events);
        for (int i = 0; i < count; i++) {
          long data = (long) i * EVENT_BYTES + DATA_OFFSET;
          tell(epoll, events.get(ValueLayout.JAVA_INT_UNALIGNED, data));
        }
      }
    }
  }

  private static long next(int epoll, MemorySegment events) {
    try {
      return Linux.call(
          "wait for processes", SystemCall.EPOLL_PWAIT, epoll, events.address(), AT_ONCE, -1, 0);
    } catch (LinuxException e) {
      if (e.errno() == LinuxException.EINTR) {
        return 0;
      }
      throw new IllegalStateException(e);
    }
  }

  private static void tell(int epoll, int descriptor) {
    PidFd process = AWAITED.remove(descriptor);
    if (process == null) {
      return;
    }
    try {
      Linux.call("no longer wait", SystemCall.EPOLL_CTL, epoll, REMOVE, descriptor, 0);
    } catch (LinuxException e) {
      throw new IllegalStateException(e);
    }
    process.ended();
  }
}
