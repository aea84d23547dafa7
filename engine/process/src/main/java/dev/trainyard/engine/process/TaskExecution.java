package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.Execution;
import dev.trainyard.engine.TerminalSize;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server's side of an additional command in a task: its FIFOs or its terminal. */
final class TaskExecution implements Execution {
  private static final Logger LOG = LoggerFactory.getLogger(TaskExecution.class);
  private static final Duration START_TIMEOUT = Duration.ofSeconds(20);
  private static final int READ_ONLY = 0;
  private static final int WRITE_ONLY = 1;
  private static final int READ_WRITE = 2;
  private static final int NON_BLOCKING = 0x800;
  private static final int KILLED_CODE = 137;
  private static final int MAX_REPORT_LENGTH = 32;

  /** Time to wait for the last output of a terminal, which passes through a queue of the kernel. */
  private static final int TERMINAL_DRAIN_MILLIS = 1_000;

  private final Executions executions;
  private final TaskDirectory task;
  private final TaskDirectory.Supervisor supervisor;
  private final Path directory;
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final List<Descriptor> descriptors = new ArrayList<>();
  private final List<Integer> commandEnds = new ArrayList<>();
  private final InputStream reports;
  private volatile int leader = -1;
  private Optional<PseudoTerminal> terminal = Optional.empty();
  private OutputStream input;
  private InputStream output;
  private InputStream errors;

  TaskExecution(
      Executions executions,
      TaskDirectory task,
      TaskDirectory.Supervisor supervisor,
      Path directory)
      throws IOException {
    this.executions = executions;
    this.task = task;
    this.supervisor = supervisor;
    this.directory = directory;
    this.reports = new DescriptorInput(openFifo("code", READ_ONLY), new CompletableFuture<>(), 0);
    this.input = new DescriptorOutput(openFifo("in", WRITE_ONLY));
    this.output = new DescriptorInput(openFifo("out", READ_ONLY), exitCode, 0);
    this.errors = new DescriptorInput(openFifo("err", READ_ONLY), exitCode, 0);
  }

  /**
   * Opens a FIFO. Until the command has opened its end of the FIFO, the server keeps that end open
   * too, so that neither side blocks.
   */
  private Descriptor openFifo(String name, int flags) throws IOException {
    String path = directory.resolve(name).toString();
    commandEnds.add(Linux.open(path, READ_WRITE | NON_BLOCKING));
    Descriptor descriptor = new Descriptor(Linux.open(path, flags | NON_BLOCKING));
    descriptors.add(descriptor);
    return descriptor;
  }

  /** Waits for the command to start, and gives it a terminal if requested. */
  void awaitStart(Optional<TerminalSize> size) throws IOException {
    CompletableFuture<Void> startFuture = new CompletableFuture<>();
    var _ =
        startFuture
            .orTimeout(START_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
            .exceptionally(
                _ -> {
                  descriptors.forEach(Descriptor::close);
                  return null;
                });
    String report = readReport();
    if (report != null && report.matches("started [1-9]\\d{0,8}")) {
      leader = Integer.parseInt(report.substring("started ".length()));
      Executions.writeLeader(directory, leader);
      if (size.isPresent()) {
        openTerminal(size.get());
        report = readReport();
        terminal.ifPresent(PseudoTerminal::closePeer);
      }
    }
    boolean valid = report != null && report.matches("started [1-9]\\d{0,8}|opened|\\d{1,3}");
    if (startFuture.isCompletedExceptionally() || !valid) {
      throw new EngineException("the task does not respond");
    }
    startFuture.complete(null);
    closeCommandEnds();
    if (Character.isDigit(report.charAt(0))) {
      exitCode.complete(Integer.valueOf(report));
    } else {
      Thread.ofVirtual().name("exec in " + task.id()).start(this::awaitEnd);
    }
  }

  /**
   * Reads a line; returns null at the end of the input. The input is untrusted, because the task
   * can write any amount of any data.
   */
  private String readReport() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = reports.read(); next != '\n'; next = reports.read()) {
      if (next < 0) {
        return null;
      }
      if (line.length() == MAX_REPORT_LENGTH) {
        throw new IOException("the task does not respond");
      }
      line.append((char) next);
    }
    return line.toString();
  }

  private void openTerminal(TerminalSize size) throws IOException {
    int rootDescriptor = TaskProcess.openRoot(supervisor, leader);
    try {
      PseudoTerminal pty =
          PseudoTerminal.open(rootDescriptor, size, ExecChannel.fileOwnedByTask(task));
      terminal = Optional.of(pty);
      input.write((pty.path() + "\n").getBytes(StandardCharsets.US_ASCII));
      input = new TerminalOutput(pty.writeDescriptor());
      output = new DescriptorInput(pty.readDescriptor(), exitCode, TERMINAL_DRAIN_MILLIS);
      errors = InputStream.nullInputStream();
    } finally {
      Linux.close(rootDescriptor);
    }
  }

  private void awaitEnd() {
    try {
      String code = readReport();
      if (code != null && code.matches("\\d{1,3}")) {
        exitCode.complete(Integer.valueOf(code));
        return;
      }
    } catch (IOException e) {
      LOG.warn("failed to read the exit code of a command in task {}", task.id(), e);
    }
    // The process that reports the exit code was killed: the task has ended, or the task killed it.
    executions.kill(task, supervisor, leader);
    exitCode.complete(KILLED_CODE);
  }

  private synchronized void closeCommandEnds() {
    commandEnds.forEach(Linux::close);
    commandEnds.clear();
  }

  boolean belongsTo(TaskId id) {
    return task.id().equals(id);
  }

  @Override
  public OutputStream input() {
    return input;
  }

  @Override
  public InputStream output() {
    return output;
  }

  @Override
  public InputStream errors() {
    return errors;
  }

  @Override
  public void resize(TerminalSize size) {
    try {
      if (terminal.isPresent()) {
        terminal.get().resize(size);
      }
    } catch (LinuxException e) {
      LOG.debug("failed to resize a terminal in task {}", task.id(), e);
    }
  }

  @Override
  public CompletableFuture<Integer> exitCode() {
    return exitCode;
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      if (!exitCode.isDone() && leader > 0) {
        executions.kill(task, supervisor, leader);
      }
      exitCode.complete(KILLED_CODE);
      closeCommandEnds();
      terminal.ifPresent(PseudoTerminal::close);
      descriptors.forEach(Descriptor::close);
      Trash.deleteTree(directory);
    } catch (IOException e) {
      LOG.warn("failed to delete the files of a command in task {}", task.id(), e);
    } finally {
      executions.remove(this);
    }
  }
}
