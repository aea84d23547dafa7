package dev.trainyard.engine.testkit;

import dev.trainyard.engine.ExecRequest;
import dev.trainyard.engine.Execution;
import dev.trainyard.engine.TerminalSize;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** A command without a process: the test reads its input and determines its output. */
public final class ScriptedExecution implements Execution {
  private static final int EXIT_KILLED = 137;

  private final TaskId task;
  private final ExecRequest request;
  private final BytePipe input = new BytePipe();
  private final BytePipe output = new BytePipe();
  private final BytePipe errors = new BytePipe();
  private final List<TerminalSize> sizes = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  ScriptedExecution(TaskId task, ExecRequest request) {
    this.task = task;
    this.request = request;
  }

  public TaskId task() {
    return task;
  }

  public ExecRequest request() {
    return request;
  }

  /** Returns the end of the command's input from which the command reads. */
  public InputStream commandInput() {
    return input.readEnd();
  }

  /** Returns the number of bytes that the command has written to stdout. */
  public long printedBytes() {
    return output.writtenBytes();
  }

  /** Prints to stdout; blocks while the pipe is full, like a real command. */
  public void print(String text) {
    write(output, text);
  }

  public void printError(String text) {
    write(errors, text);
  }

  private static void write(BytePipe pipe, String text) {
    try {
      pipe.writeEnd().write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Simulates that the command exits. */
  public void exit(int code) throws IOException {
    output.writeEnd().close();
    errors.writeEnd().close();
    input.closeReadEnd();
    exitCode.complete(code);
  }

  /** Returns every size that the terminal was changed to, in order. */
  public List<TerminalSize> sizes() {
    return List.copyOf(sizes);
  }

  /** Returns a future that completes when {@link #close} is called. */
  public CompletableFuture<Void> closed() {
    return closed;
  }

  @Override
  public OutputStream input() {
    return input.writeEnd();
  }

  @Override
  public InputStream output() {
    return output.readEnd();
  }

  @Override
  public InputStream errors() {
    return errors.readEnd();
  }

  @Override
  public void resize(TerminalSize size) {
    sizes.add(size);
  }

  @Override
  public CompletableFuture<Integer> exitCode() {
    return exitCode;
  }

  @Override
  public void close() {
    if (exitCode.complete(EXIT_KILLED)) {
      output.closeReadEnd();
      errors.closeReadEnd();
      input.closeReadEnd();
    }
    closed.complete(null);
  }
}
