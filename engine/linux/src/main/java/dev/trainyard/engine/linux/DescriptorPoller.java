package dev.trainyard.engine.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reports when descriptors become readable or writable. A single thread serves all descriptors for
 * the lifetime of the JVM. Thread-safe.
 */
public final class DescriptorPoller {
  private static final int OPERATION_ADD = 1;
  private static final int OPERATION_REMOVE = 2;
  private static final int OPERATION_CHANGE = 3;
  private static final int ONE_SHOT = 1 << 30;
  private static final int MAX_EVENTS = 64;

  /** Size of the kernel's struct, which is packed on x86_64 but not on aarch64. */
  private static final int EVENT_BYTES = SystemCall.ARM ? 16 : 12;

  private static final int DATA_OFFSET = SystemCall.ARM ? 8 : 4;

  private static final Map<Integer, CompletableFuture<Void>> FUTURES = new ConcurrentHashMap<>();
  private static final int EPOLL = start();

  private DescriptorPoller() {}

  /** The event to wait for. */
  public enum Event {
    READ(1),
    WRITE(4);

    private final int event;

    Event(int event) {
      this.event = event;
    }
  }

  /**
   * Starts the thread if it is not running; must be called from a thread in the server's own
   * namespaces.
   */
  public static void begin() {
    if (EPOLL < 0) {
      throw new IllegalStateException();
    }
  }

  /** Completes the future once, when the descriptor is ready or the other end is closed. */
  public static void await(int descriptor, Event event, CompletableFuture<Void> ready)
      throws LinuxException {
    FUTURES.put(descriptor, ready);
    try {
      control(OPERATION_ADD, descriptor, event.event | ONE_SHOT);
    } catch (LinuxException e) {
      if (e.errno() != LinuxException.EEXIST) {
        throw e;
      }
      control(OPERATION_CHANGE, descriptor, event.event | ONE_SHOT);
    }
  }

  /**
   * Stops waiting for a descriptor; must be called before the descriptor is closed, because its
   * number can be reused.
   */
  public static void forget(int descriptor) {
    FUTURES.remove(descriptor);
    try {
      control(OPERATION_REMOVE, descriptor, 0);
    } catch (LinuxException e) {
      if (e.errno() != LinuxException.ENOENT) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void control(int operation, int descriptor, int events) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment event = arena.allocate(EVENT_BYTES, 8);
      event.set(ValueLayout.JAVA_INT, 0, events);
      event.set(ValueLayout.JAVA_INT_UNALIGNED, DATA_OFFSET, descriptor);
      Linux.call(
          "wait for a stream", SystemCall.EPOLL_CTL, EPOLL, operation, descriptor, event.address());
    }
  }

  private static int start() {
    try {
      int cloexec = 0x80000;
      int epoll = (int) Linux.call("wait for streams", SystemCall.EPOLL_CREATE1, cloexec);
      Thread.ofPlatform().daemon().name("engine-streams").start(() -> pollForever(epoll));
      return epoll;
    } catch (LinuxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void pollForever(int epoll) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment events = arena.allocate((long) EVENT_BYTES * MAX_EVENTS, 8);
      while (true) {
        long count = awaitEvents(epoll, events);
        for (int i = 0; i < count; i++) {
          long data = (long) i * EVENT_BYTES + DATA_OFFSET;
          CompletableFuture<Void> ready =
              FUTURES.remove(events.get(ValueLayout.JAVA_INT_UNALIGNED, data));
          if (ready != null) {
            ready.complete(null);
          }
        }
      }
    }
  }

  private static long awaitEvents(int epoll, MemorySegment events) {
    try {
      return Linux.call(
          "wait for streams", SystemCall.EPOLL_PWAIT, epoll, events.address(), MAX_EVENTS, -1, 0);
    } catch (LinuxException e) {
      if (e.errno() == LinuxException.EINTR) {
        return 0;
      }
      throw new IllegalStateException(e);
    }
  }
}
