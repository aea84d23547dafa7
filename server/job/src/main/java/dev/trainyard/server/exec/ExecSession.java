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
 * Transfers bytes between a client and a command until one of them ends. Holds at most one chunk
 * per stream: if one side does not read, the other side waits.
 */
final class ExecSession implements WebSocketSession {
  private static final int PIECE = 32 * 1024;
  private static final int MAX_TERMINAL_SIZE = 10_000;

  private final Execution execution;
  private final Runnable atEnd;

  ExecSession(Execution execution, Runnable atEnd) {
    this.execution = execution;
    this.atEnd = atEnd;
  }

  @Override
  public void talk(Socket socket) throws IOException {
    // Detects a disconnected client even while the command does not read its input.
    var _ = socket.ended().thenRunAsync(execution::close, Thread::startVirtualThread);
    Thread.ofVirtual().name("exec input").start(() -> receive(socket));
    FutureTask<Void> errors =
        new FutureTask<>(
            () -> {
              copy(execution.errors(), Channel.STDERR, socket);
              return null;
            });
    Thread.ofVirtual().name("exec errors").start(errors);
    copy(execution.output(), Channel.STDOUT, socket);
    await(errors);
    int code = exitCode();
    byte[] exit = Json.MAPPER.writeValueAsBytes(Map.of("exitCode", code));
    socket.send(Channel.EXIT.message(exit, exit.length));
  }

  private int exitCode() throws IOException {
    try {
      return execution.exitCode().join();
    } catch (CompletionException e) {
      throw new IOException("the connection to the command was lost", e);
    }
  }

  private static void await(FutureTask<Void> work) throws IOException {
    try {
      work.get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static void copy(InputStream from, Channel channel, Socket to) throws IOException {
    byte[] piece = new byte[PIECE];
    for (int count = from.read(piece); count >= 0; count = from.read(piece)) {
      to.send(channel.message(piece, count));
    }
  }

  private void receive(Socket socket) {
    try {
      for (Optional<byte[]> message = socket.receive();
          message.isPresent();
          message = socket.receive()) {
        if (!take(message.get())) {
          socket.close(Socket.Ending.NOT_UNDERSTOOD);
          return;
        }
      }
    } catch (IOException e) {
      socket.close(Socket.Ending.FAILED);
    }
  }

  /** Returns false for an invalid message. */
  private boolean take(byte[] message) {
    return switch (Channel.of(message)) {
      case STDIN -> {
        input(message);
        yield true;
      }
      case END -> {
        boolean stdin = message.length == 2 && message[1] == Channel.STDIN.number();
        if (stdin) {
          endInput();
        }
        yield stdin;
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

  private void input(byte[] message) {
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
      // It is already closed.
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
    boolean possible =
        columns >= 0 && columns <= MAX_TERMINAL_SIZE && rows >= 0 && rows <= MAX_TERMINAL_SIZE;
    return possible ? Optional.of(new TerminalSize(columns, rows)) : Optional.empty();
  }

  @Override
  public void close() {
    try {
      execution.close();
    } finally {
      atEnd.run();
    }
  }
}
