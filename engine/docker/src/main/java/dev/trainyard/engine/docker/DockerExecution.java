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
  static final int KILLED = 137;
  private static final int HEAD = 8;
  private static final int CHUNK = 16 * 1024;
  private static final int ERRORS = 2;

  private final Executions all;
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
   * @param token identifies the wrapper process in the container
   */
  DockerExecution(
      Executions all,
      TaskId task,
      String id,
      String token,
      boolean terminal,
      HijackedConnection connection) {
    this.all = all;
    this.task = task;
    this.id = id;
    this.token = token;
    this.terminal = terminal;
    this.connection = connection;
    this.input = new CommandInput(connection, terminal);
  }

  void begin() {
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
    int code = closed.get() ? KILLED : all.code(task, id);
    exitCode.complete(code);
    all.forget(this);
  }

  private void copyTerminal() throws IOException, InterruptedException {
    byte[] chunk = new byte[CHUNK];
    int count = connection.read(chunk, 0, CHUNK);
    while (count >= 0 && output.put(chunk, 0, count)) {
      count = connection.read(chunk, 0, CHUNK);
    }
  }

  /**
   * Demultiplexes the streams: each frame has a header with the stream and its length. A stream may
   * have no reader.
   */
  private void copyStreams() throws IOException, InterruptedException {
    byte[] head = new byte[HEAD];
    byte[] chunk = new byte[CHUNK];
    while (readAll(head, HEAD)) {
      ByteQueue to = head[0] == ERRORS ? errors : output;
      long left = Integer.toUnsignedLong(ByteBuffer.wrap(head).getInt(4));
      while (left > 0) {
        int count = connection.read(chunk, 0, (int) Math.min(CHUNK, left));
        if (count < 0) {
          return;
        }
        to.put(chunk, 0, count);
        left -= count;
      }
    }
  }

  private boolean readAll(byte[] to, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int count = connection.read(to, done, length - done);
      if (count < 0) {
        return false;
      }
      done += count;
    }
    return true;
  }

  boolean isIn(TaskId other) {
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
      all.resize(id, size);
    }
  }

  @Override
  public CompletableFuture<Integer> exitCode() {
    return exitCode;
  }

  /** Gives up the command without killing it, because the task has ended or is about to end. */
  void abandon() {
    closed.set(true);
    exitCode.complete(KILLED);
    connection.close();
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    if (!exitCode.isDone()) {
      all.hangUp(task, id, token);
      exitCode.complete(KILLED);
    }
    connection.close();
    output.end();
    errors.end();
    all.forget(this);
  }
}
