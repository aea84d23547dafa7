package dev.trainyard.engine.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A process referenced by a descriptor, so that the reference never denotes another process that
 * reuses the process ID. The process can be a child of the server or of another process. The
 * descriptor is closed after the process has ended.
 */
public final class PidFd {
  /**
   * Result for a process that is not a child of the server. The kernel reports the actual exit code
   * only to the parent.
   */
  public static final int UNKNOWN_CODE = -1;

  private static final int SIGNAL_OFFSET = 128;

  private final int pid;
  private final int descriptor;
  private final CompletableFuture<Integer> exitFuture = new CompletableFuture<>();
  private boolean closed;

  private PidFd(int pid, int descriptor) {
    this.pid = pid;
    this.descriptor = descriptor;
  }

  /**
   * @throws LinuxException if there is no such process
   */
  public static PidFd of(int pid) throws LinuxException {
    int descriptor = (int) Linux.call("open process " + pid, SystemCall.PIDFD_OPEN, pid, 0);
    PidFd process = new PidFd(pid, descriptor);
    CompletableFuture<Void> exited = new CompletableFuture<>();
    var _ = exited.thenRun(process::handleExit);
    DescriptorPoller.await(descriptor, DescriptorPoller.Event.READ, exited);
    return process;
  }

  public int pid() {
    return pid;
  }

  /**
   * Returns a future that completes with the exit code, which is 128 + n after signal n. Dependent
   * stages run on a separate thread.
   */
  public CompletableFuture<Integer> onExit() {
    return exitFuture;
  }

  public boolean isRunning() {
    return !exitFuture.isDone();
  }

  /** Sends a signal; has no effect if the process has ended. */
  public synchronized void signal(int signal) {
    if (closed) {
      return;
    }
    try {
      Linux.call("signal " + pid, SystemCall.PIDFD_SEND_SIGNAL, descriptor, signal, 0, 0);
    } catch (LinuxException e) {
      if (e.errno() != LinuxException.ESRCH) {
        throw new IllegalStateException(e);
      }
    }
  }

  /**
   * Waits and returns whether the process has ended.
   *
   * @param deadline time in terms of {@link System#nanoTime}
   */
  public boolean awaitEnd(long deadline) {
    try {
      exitFuture.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException | ExecutionException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Completes the future; called once, when the kernel reports that the process has ended. */
  private void handleExit() {
    int code = reap();
    synchronized (this) {
      closed = true;
      DescriptorPoller.cancel(descriptor);
      Linux.close(descriptor);
    }
    Thread.startVirtualThread(() -> exitFuture.complete(code));
  }

  private int reap() {
    int byDescriptor = 3;
    int waitForExit = 4;
    int codeOffset = 8;
    int statusOffset = 24;
    int exitedNormally = 1;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = arena.allocate(128, 8);
      Linux.call(
          "wait", SystemCall.WAITID, byDescriptor, descriptor, info.address(), waitForExit, 0);
      int status = info.get(ValueLayout.JAVA_INT, statusOffset);
      return info.get(ValueLayout.JAVA_INT, codeOffset) == exitedNormally
          ? status
          : SIGNAL_OFFSET + status;
    } catch (LinuxException e) {
      return UNKNOWN_CODE; // because the process is not a child of the server
    }
  }
}
