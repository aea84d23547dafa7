package dev.trainyard.engine.docker;

import dev.trainyard.engine.Execution;
import dev.trainyard.engine.TerminalSize;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server's side of a command in a container. */
final class DockerExecution implements Execution {
  private static final Logger LOG = LoggerFactory.getLogger(DockerExecution.class);
  static final int EXIT_CODE_KILLED = 137;
  private static final int HEADER_BYTES = 8;
  private static final int CHUNK_BYTES = 16 * 1024;
  private static final int STDERR_STREAM = 2;

  private final Executions executions;
  private final TaskId task;
  private final String id;
  private final String token;
  private final boolean terminal;
  private final HijackedConnection connection;
  private final ByteQueue output = new ByteQueue();
  private final ByteQueue errors = new ByteQueue();
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final OutputStream input;

  /**
   * @param id ID of the command in the engine
   * @param token token that identifies the wrapper process in the container
   */
  DockerExecution(
      Executions executions,
      TaskId task,
      String id,
      String token,
      boolean terminal,
      HijackedConnection connection) {
    this.executions = executions;
    this.task = task;
    this.id = id;
    this.token = token;
    this.terminal = terminal;
    this.connection = connection;
    this.input = new CommandInput(connection, terminal);
  }

  void start() {
    Thread.ofVirtual().name("exec in " + task).start(this::copyOutput);
  }

  private void copyOutput() {
    try {
      if (terminal) {
        copyTerminal();
      } else {
        copyStreams();
      }
    } catch (IOException e) {
      LOG.debug("lost the connection of a command in task {}", task, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      output.end();
      errors.end();
    }
    int code = closed.get() ? EXIT_CODE_KILLED : executions.awaitExitCode(task, id);
    exitCode.complete(code);
    executions.remove(this);
  }

  private void copyTerminal() throws IOException, InterruptedException {
    byte[] chunk = new byte[CHUNK_BYTES];
    int count = connection.read(chunk, 0, CHUNK_BYTES);
    while (count >= 0 && output.put(chunk, 0, count)) {
      count = connection.read(chunk, 0, CHUNK_BYTES);
    }
  }

  /**
   * Demultiplexes the streams: each frame has a header with the stream and its length. A stream may
   * have no reader.
   */
  private void copyStreams() throws IOException, InterruptedException {
    byte[] header = new byte[HEADER_BYTES];
    byte[] chunk = new byte[CHUNK_BYTES];
    while (readFully(header, HEADER_BYTES)) {
      ByteQueue target = header[0] == STDERR_STREAM ? errors : output;
      long remainingBytes = Integer.toUnsignedLong(ByteBuffer.wrap(header).getInt(4));
      while (remainingBytes > 0) {
        int count = connection.read(chunk, 0, (int) Math.min(CHUNK_BYTES, remainingBytes));
        if (count < 0) {
          return;
        }
        target.put(chunk, 0, count);
        remainingBytes -= count;
      }
    }
  }

  private boolean readFully(byte[] target, int length) throws IOException {
    int readCount = 0;
    while (readCount < length) {
      int count = connection.read(target, readCount, length - readCount);
      if (count < 0) {
        return false;
      }
      readCount += count;
    }
    return true;
  }

  boolean belongsTo(TaskId other) {
    return task.equals(other);
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
    if (terminal) {
      executions.resize(id, size);
    }
  }

  @Override
  public CompletableFuture<Integer> exitCode() {
    return exitCode;
  }

  /** Gives up the command without killing it, because the task has ended or is about to end. */
  void abandon() {
    closed.set(true);
    exitCode.complete(EXIT_CODE_KILLED);
    connection.close();
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    if (!exitCode.isDone()) {
      executions.kill(task, id, token);
      exitCode.complete(EXIT_CODE_KILLED);
    }
    connection.close();
    output.end();
    errors.end();
    executions.remove(this);
  }
}
