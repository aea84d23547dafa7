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

/** The server's side of a command in a task: its FIFOs or its terminal. */
final class TaskExecution implements Execution {
  private static final Logger LOG = LoggerFactory.getLogger(TaskExecution.class);
  private static final Duration BEGINNING = Duration.ofSeconds(20);
  private static final int READ_ONLY = 0;
  private static final int WRITE_ONLY = 1;
  private static final int READ_WRITE = 2;
  private static final int NON_BLOCKING = 0x800;
  private static final int KILLED = 137;
  private static final int LONGEST_REPORT = 32;

  /** The last output of a terminal passes through a queue of the kernel. */
  private static final int TERMINAL_MILLIS = 1_000;

  private final Executions all;
  private final TaskDirectory task;
  private final TaskDirectory.Supervisor supervisor;
  private final Path place;
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final List<Descriptor> opened = new ArrayList<>();
  private final List<Integer> bothEnds = new ArrayList<>();
  private final InputStream reports;
  private volatile int leader = -1;
  private Optional<PseudoTerminal> terminal = Optional.empty();
  private OutputStream input;
  private InputStream output;
  private InputStream errors;

  TaskExecution(Executions all, TaskDirectory task, TaskDirectory.Supervisor supervisor, Path place)
      throws IOException {
    this.all = all;
    this.task = task;
    this.supervisor = supervisor;
    this.place = place;
    this.reports = new DescriptorInput(fifo("code", READ_ONLY), new CompletableFuture<>(), 0);
    this.input = new DescriptorOutput(fifo("in", WRITE_ONLY));
    this.output = new DescriptorInput(fifo("out", READ_ONLY), exitCode, 0);
    this.errors = new DescriptorInput(fifo("err", READ_ONLY), exitCode, 0);
  }

  /**
   * Opens a FIFO. The server holds the command's end too until the command has opened it, so that
   * neither side blocks.
   */
  private Descriptor fifo(String name, int flags) throws IOException {
    String path = place.resolve(name).toString();
    bothEnds.add(Linux.open(path, READ_WRITE | NON_BLOCKING));
    Descriptor descriptor = new Descriptor(Linux.open(path, flags | NON_BLOCKING));
    opened.add(descriptor);
    return descriptor;
  }

  /** Waits for the command to start, and gives it a terminal if requested. */
  void begin(Optional<TerminalSize> size) throws IOException {
    CompletableFuture<Void> begun = new CompletableFuture<>();
    var _ =
        begun
            .orTimeout(BEGINNING.toMillis(), TimeUnit.MILLISECONDS)
            .exceptionally(
                _ -> {
                  opened.forEach(Descriptor::close);
                  return null;
                });
    String report = report();
    if (report != null && report.matches("started [1-9]\\d{0,8}")) {
      leader = Integer.parseInt(report.substring("started ".length()));
      Executions.remember(place, leader);
      if (size.isPresent()) {
        openTerminal(size.get());
        report = report();
        terminal.ifPresent(PseudoTerminal::handOver);
      }
    }
    boolean sensible = report != null && report.matches("started [1-9]\\d{0,8}|opened|\\d{1,3}");
    if (begun.isCompletedExceptionally() || !sensible) {
      throw new EngineException("the task does not respond");
    }
    begun.complete(null);
    releaseBothEnds();
    if (Character.isDigit(report.charAt(0))) {
      exitCode.complete(Integer.valueOf(report));
    } else {
      Thread.ofVirtual().name("exec in " + task.id()).start(this::awaitEnd);
    }
  }

  /**
   * Reads a line; null at the end. The input is untrusted, because the task can write anything
   * there in any amount.
   */
  private String report() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = reports.read(); next != '\n'; next = reports.read()) {
      if (next < 0) {
        return null;
      }
      if (line.length() == LONGEST_REPORT) {
        throw new IOException("the task does not respond");
      }
      line.append((char) next);
    }
    return line.toString();
  }

  private void openTerminal(TerminalSize size) throws IOException {
    int root = TaskProcess.root(supervisor, leader);
    try {
      PseudoTerminal pty = PseudoTerminal.open(root, size, ExecChannel.owner(task));
      terminal = Optional.of(pty);
      input.write((pty.name() + "\n").getBytes(StandardCharsets.US_ASCII));
      input = new TerminalOutput(pty.writing());
      output = new DescriptorInput(pty.reading(), exitCode, TERMINAL_MILLIS);
      errors = InputStream.nullInputStream();
    } finally {
      Linux.close(root);
    }
  }

  private void awaitEnd() {
    try {
      String code = report();
      if (code != null && code.matches("\\d{1,3}")) {
        exitCode.complete(Integer.valueOf(code));
        return;
      }
    } catch (IOException e) {
      LOG.warn("failed to read the exit code of a command in task {}", task.id(), e);
    }
    // The process that reports the exit code was killed, by the task's end or by the task itself.
    all.kill(task, supervisor, leader);
    exitCode.complete(KILLED);
  }

  private synchronized void releaseBothEnds() {
    bothEnds.forEach(Linux::close);
    bothEnds.clear();
  }

  boolean isIn(TaskId id) {
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
        all.kill(task, supervisor, leader);
      }
      exitCode.complete(KILLED);
      releaseBothEnds();
      terminal.ifPresent(PseudoTerminal::close);
      opened.forEach(Descriptor::close);
      Trash.deleteTree(place);
    } catch (IOException e) {
      LOG.warn("failed to delete the files of a command in task {}", task.id(), e);
    } finally {
      all.forget(this);
    }
  }
}
