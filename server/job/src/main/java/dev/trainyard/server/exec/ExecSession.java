package dev.trainyard.server.exec;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.engine.Execution;
import dev.trainyard.engine.TerminalSize;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.http.Socket;
import dev.trainyard.server.http.WebSocketSession;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Transfers bytes between a client and a command until one of them ends. Buffers at most one chunk
 * per stream: if the client or the command does not read, the other side waits.
 */
final class ExecSession implements WebSocketSession {
  private static final int CHUNK_SIZE = 32 * 1024;
  private static final int MAX_TERMINAL_SIZE = 10_000;

  private final Execution execution;
  private final Runnable onClose;

  ExecSession(Execution execution, Runnable onClose) {
    this.execution = execution;
    this.onClose = onClose;
  }

  @Override
  public void run(Socket socket) throws IOException {
    // Closes the execution when the client disconnects, even while the command does not read its
    // input.
    var _ = socket.ended().thenRunAsync(execution::close, Thread::startVirtualThread);
    Thread.ofVirtual().name("exec input").start(() -> receive(socket));
    FutureTask<Void> errorCopy =
        new FutureTask<>(
            () -> {
              copy(execution.errors(), Channel.STDERR, socket);
              return null;
            });
    Thread.ofVirtual().name("exec errors").start(errorCopy);
    copy(execution.output(), Channel.STDOUT, socket);
    await(errorCopy);
    int code = exitCode();
    byte[] exitMessage = Json.MAPPER.writeValueAsBytes(Map.of("exitCode", code));
    socket.send(Channel.EXIT.message(exitMessage, exitMessage.length));
  }

  private int exitCode() throws IOException {
    try {
      return execution.exitCode().join();
    } catch (CompletionException e) {
      throw new IOException("the connection to the command was lost", e);
    }
  }

  private static void await(FutureTask<Void> future) throws IOException {
    try {
      future.get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static void copy(InputStream source, Channel channel, Socket target) throws IOException {
    byte[] chunk = new byte[CHUNK_SIZE];
    for (int count = source.read(chunk); count >= 0; count = source.read(chunk)) {
      target.send(channel.message(chunk, count));
    }
  }

  private void receive(Socket socket) {
    try {
      for (Optional<byte[]> message = socket.receive();
          message.isPresent();
          message = socket.receive()) {
        if (!handle(message.get())) {
          socket.close(Socket.CloseReason.NOT_UNDERSTOOD);
          return;
        }
      }
    } catch (IOException e) {
      socket.close(Socket.CloseReason.FAILED);
    }
  }

  /** Returns false for an invalid message. */
  private boolean handle(byte[] message) {
    return switch (Channel.of(message)) {
      case STDIN -> {
        writeInput(message);
        yield true;
      }
      case END -> {
        boolean endsStdin = message.length == 2 && message[1] == Channel.STDIN.number();
        if (endsStdin) {
          endInput();
        }
        yield endsStdin;
      }
      case RESIZE -> {
        Optional<TerminalSize> size = size(message);
        size.ifPresent(execution::resize);
        yield size.isPresent();
      }
      case STDOUT, STDERR, EXIT -> false;
      case null -> false;
    };
  }

  private void writeInput(byte[] message) {
    try {
      execution.input().write(message, 1, message.length - 1);
      execution.input().flush();
    } catch (IOException e) {
      // The command closed its input, which is valid; its output is still needed.
    }
  }

  private void endInput() {
    try {
      execution.input().close();
    } catch (IOException e) {
      // The input is already closed.
    }
  }

  private static Optional<TerminalSize> size(byte[] message) {
    try {
      JsonNode json = Json.MAPPER.readTree(Arrays.copyOfRange(message, 1, message.length));
      return size(json.path("columns").asInt(), json.path("rows").asInt());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns empty for an invalid size. */
  static Optional<TerminalSize> size(int columns, int rows) {
    boolean valid =
        columns >= 0 && columns <= MAX_TERMINAL_SIZE && rows >= 0 && rows <= MAX_TERMINAL_SIZE;
    return valid ? Optional.of(new TerminalSize(columns, rows)) : Optional.empty();
  }

  @Override
  public void close() {
    try {
      execution.close();
    } finally {
      onClose.run();
    }
  }
}
