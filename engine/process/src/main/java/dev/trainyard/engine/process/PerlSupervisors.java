package dev.trainyard.engine.process;

import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.engine.linux.PidFd;
import dev.trainyard.engine.linux.Spawn;
import dev.trainyard.engine.linux.SystemCall;
import java.io.IOException;
import java.io.Serial;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A perl process that has loaded {@code supervise.pl} and forks the supervisor of each task,
 * because starting a program is most of the cost of a short task. The supervisors keep running when
 * the perl process ends, which happens when the server ends. Thread-safe.
 */
final class PerlSupervisors implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PerlSupervisors.class);

  /** Maximum time to respond to a request, which usually takes milliseconds. */
  private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(30);

  private static final int SIGKILL = 9;

  private final String perl;
  private final Path script;
  private final Supplier<byte[]> filter;
  private final Executor afterDeadline;
  private PidFd process;
  private int requests = -1;
  private int responses = -1;
  private boolean closed;

  /**
   * Reports that the process that forks supervisors ended before it responded to a request. The
   * request has had no effect: if a supervisor was forked nevertheless, it exits when its {@code
   * go} pipe is closed.
   */
  static final class ForkProcessEndedException extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    private ForkProcessEndedException(Throwable cause) {
      super("no supervisor: the process that forks supervisors ended", cause);
    }
  }

  /**
   * Creates the object without starting a process.
   *
   * @param perl path of the program
   * @param filter supplies the BPF program that filters the system calls of tasks; an empty program
   *     means no filter
   */
  PerlSupervisors(String perl, Path script, Supplier<byte[]> filter) {
    this(
        perl,
        script,
        filter,
        CompletableFuture.delayedExecutor(RESPONSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
  }

  /**
   * @param afterDeadline runs an action after the maximum time to respond has passed
   */
  PerlSupervisors(String perl, Path script, Supplier<byte[]> filter, Executor afterDeadline) {
    this.perl = perl;
    this.script = script;
    this.filter = filter;
    this.afterDeadline = afterDeadline;
  }

  /** Returns the system call numbers, which differ between architectures. */
  private static String calls() {
    return Stream.of(
            SystemCall.SETNS,
            SystemCall.PRCTL,
            SystemCall.SETGROUPS,
            SystemCall.SETRESGID,
            SystemCall.SETRESUID,
            SystemCall.DUP3,
            SystemCall.STATFS,
            SystemCall.PRLIMIT64,
            SystemCall.UNSHARE,
            SystemCall.KEYCTL,
            SystemCall.SETSID,
            SystemCall.SECCOMP,
            SystemCall.MOUNT)
        .map(call -> Integer.toString(call.number()))
        .collect(Collectors.joining(","));
  }

  /**
   * Starts the process if it is not running; must be called from a thread in the server's own
   * namespaces.
   *
   * @throws ForkProcessEndedException if the process was killed immediately; the caller has to
   *     retry
   */
  synchronized void begin() throws IOException {
    // The server may notice the end of the process before or after the end of its pipes, so both
    // are checked.
    if (requests >= 0 && process.isRunning()) {
      return;
    }
    if (closed) {
      throw new IOException("no supervisor: the engine is closed");
    }
    closePipes();
    Pipe in = Pipe.open();
    Pipe out;
    try {
      out = Pipe.open();
    } catch (LinuxException e) {
      in.close();
      throw e;
    }
    boolean started = false;
    try {
      process =
          Spawn.of(
                  List.of(
                      perl,
                      script.toString(),
                      calls(),
                      Long.toString(ProcessHandle.current().pid())))
              // The server's environment, which may contain passwords, is not passed on.
              .environment(Map.of("PATH", Spawn.TOOL_PATH, "LC_ALL", "C"))
              .descriptor(0, in.readEnd())
              .descriptor(1, out.writeEnd())
              .start();
      started = true;
    } finally {
      // The server detects the end of a pipe only after it has closed its own copies of the
      // process's ends.
      Linux.close(in.readEnd());
      Linux.close(out.writeEnd());
      if (!started) {
        Linux.close(in.writeEnd());
        Linux.close(out.readEnd());
      }
    }
    requests = in.writeEnd();
    responses = out.readEnd();
    send(framed(filter.get()));
  }

  private void send(byte[] bytes) throws IOException {
    try {
      Linux.writeAll(requests, bytes);
    } catch (LinuxException e) {
      throw e.errno() == LinuxException.EPIPE ? processEnded(e) : e;
    }
  }

  private static byte[] framed(byte[] bytes) {
    return ByteBuffer.allocate(Integer.BYTES + bytes.length)
        .putInt(bytes.length)
        .put(bytes)
        .array();
  }

  /**
   * Starts a supervisor in the calling thread's UTS and IPC namespaces, in a new PID namespace, and
   * in the server's own mount namespace. The task enters the thread's mount namespace.
   *
   * @param goDescriptor descriptor from which the supervisor reads one line before it begins:
   *     {@code go}, or {@code mount} if it has to mount the task's {@code /proc} itself. If the
   *     pipe is closed before that, the supervisor exits
   * @param userNamespace descriptor of the task's user namespace
   * @throws ForkProcessEndedException if the process has ended; the caller has to call {@link
   *     #begin} and then retry
   */
  PidFd start(
      TaskSpec spec,
      TaskDirectory task,
      List<Path> groups,
      Path procDirectory,
      SandboxEntry sandboxEntry,
      int userNamespace,
      int goDescriptor)
      throws IOException {
    List<String> request = new ArrayList<>();
    request.add(Long.toString(Linux.call("get the thread ID", SystemCall.GETTID)));
    request.add(Integer.toString(goDescriptor));
    request.add(Integer.toString(userNamespace));
    request.add(task.path().toString());
    request.addAll(SupervisorLauncher.fixedArguments(spec, groups, procDirectory));
    request.add(sandboxEntry.root().toString());
    request.add(sandboxEntry.capabilityList());
    request.addAll(SupervisorLauncher.directoryArguments(spec, groups));
    request.addAll(sandboxEntry.command());
    byte[] text = String.join("\0", request).getBytes(StandardCharsets.UTF_8);
    String response = exchange(framed(text));
    try {
      // The supervisor cannot have ended yet, because it waits for the go pipe.
      return PidFd.of(Integer.parseInt(response));
    } catch (NumberFormatException e) {
      throw new IOException("no supervisor: " + response, e);
    }
  }

  /**
   * Sends a request and returns the response. A process that does not respond in time, for example
   * because it was stopped by a signal, is killed; then this call fails in the same way as if the
   * process had ended.
   */
  synchronized String exchange(byte[] request) throws IOException {
    if (requests < 0) {
      // Another call has already closed the pipes because the process ended.
      throw new ForkProcessEndedException(null);
    }
    AtomicBoolean completed = new AtomicBoolean();
    PidFd currentProcess = process;
    afterDeadline.execute(
        () -> {
          if (!completed.get()) {
            LOG.warn(
                "killing the supervisors' parent process {} because it does not respond",
                currentProcess.pid());
            currentProcess.signal(SIGKILL);
          }
        });
    try {
      return sendAndRead(request);
    } finally {
      completed.set(true);
    }
  }

  private String sendAndRead(byte[] request) throws IOException {
    send(request);
    StringBuilder line = new StringBuilder();
    while (line.indexOf("\n") < 0) {
      String part = Pipe.read(responses);
      if (part.isEmpty()) {
        throw processEnded(null);
      }
      line.append(part);
    }
    return line.toString().strip();
  }

  /** Closes the pipes, so that {@link #begin} starts another process. */
  private ForkProcessEndedException processEnded(Throwable cause) {
    closePipes();
    return new ForkProcessEndedException(cause);
  }

  /** Closes the pipes; the process exits when it reads the end of its input. */
  @Override
  public synchronized void close() {
    closed = true;
    closePipes();
  }

  private void closePipes() {
    if (requests >= 0) {
      Linux.close(requests);
      Linux.close(responses);
      requests = -1;
    }
  }
}
