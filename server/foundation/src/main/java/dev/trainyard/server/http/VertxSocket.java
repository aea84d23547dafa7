package dev.trainyard.server.http;

import dev.trainyard.engine.linux.MemoryExhaustion;
import io.netty.channel.Channel;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * A WebSocket for blocking code. Every step runs on the event loop. Back-pressure applies in both
 * directions: a message is fetched only when a thread waits for it, and a message is sent only
 * after the previous message was sent.
 */
final class VertxSocket implements Socket {
  private static final long PING_MILLIS = 10_000;

  private final ServerWebSocket socket;
  private final Context context;
  private final Channel channel;
  private final ControlFrameLimit controlFrames = new ControlFrameLimit(System::nanoTime);
  private final BlockingQueue<Optional<byte[]>> receivedMessages = new LinkedBlockingQueue<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final long pingTimer;
  private Buffer partialMessage = Buffer.buffer();

  /** Must be called on the event loop, before a frame can arrive. */
  VertxSocket(ServerWebSocket socket, Context context, Channel channel) {
    this.socket = socket;
    this.channel = channel;
    this.context = context;
    socket.pause();
    socket.frameHandler(this::handleFrame);
    socket.closeHandler(closed -> finish());
    socket.exceptionHandler(failure -> finish());
    // Without pings, a vanished client would not be noticed while the command prints nothing. Pings
    // also keep proxies from closing a silent connection.
    this.pingTimer = context.owner().setPeriodic(PING_MILLIS, tick -> ping());
  }

  private void ping() {
    if (!socket.isClosed() && !socket.writeQueueFull()) {
      socket.writePing(Buffer.buffer());
    }
  }

  private void handleFrame(WebSocketFrame frame) {
    if (frame.isText()) {
      close(CloseReason.NOT_UNDERSTOOD);
    } else if (frame.isBinary() || frame.isContinuation()) {
      partialMessage.appendBuffer(frame.binaryData());
      if (partialMessage.length() > MAX_MESSAGE_LENGTH) {
        close(CloseReason.TOO_LONG);
      } else if (frame.isFinal()) {
        receivedMessages.add(Optional.of(partialMessage.getBytes()));
        partialMessage = Buffer.buffer();
      } else {
        socket.fetch(1);
      }
    } else if (frame.isClose()) {
      finish();
    } else if (!controlFrames.allows(isWriteQueueFull())) {
      // Bypasses Vert.x, which would wait until a close frame is sent, so that a client that reads
      // nothing could keep the connection open.
      var _ = channel.pipeline().firstContext().close();
      finish();
    }
  }

  private boolean isWriteQueueFull() {
    return !channel.isWritable() || (!socket.isClosed() && socket.writeQueueFull());
  }

  private void finish() {
    context.owner().cancelTimer(pingTimer);
    receivedMessages.add(Optional.empty());
    ended.complete(null);
  }

  @Override
  public CompletionStage<Void> ended() {
    return ended;
  }

  @Override
  public Optional<byte[]> receive() throws IOException {
    try {
      context.runOnContext(now -> socket.fetch(1));
      Optional<byte[]> message = receivedMessages.take();
      if (message.isEmpty()) {
        // The end mark stays in the queue for the next caller.
        receivedMessages.add(message);
      }
      return message;
    } catch (RejectedExecutionException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void send(byte[] message) throws IOException {
    await(() -> socket.writeBinaryMessage(Buffer.buffer(message)));
  }

  @Override
  public void close(CloseReason reason) {
    try {
      context.runOnContext(
          now -> {
            if (!socket.isClosed()) {
              socket.close(reason.code(), reason.text());
            }
            finish();
          });
    } catch (RejectedExecutionException e) {
      // The event loop has ended, and all connections are closed.
    }
  }

  /**
   * Waits without a time limit, because a client may read slowly if its user pages through the
   * output.
   */
  private void await(Supplier<Future<Void>> step) throws IOException {
    CompletableFuture<Void> completion = new CompletableFuture<>();
    try {
      context.runOnContext(
          now -> {
            try {
              step.get()
                  .onComplete(ok -> completion.complete(null), completion::completeExceptionally);
            } catch (RuntimeException | Error e) {
              completion.completeExceptionally(e);
            }
          });
      completion.get();
    } catch (RejectedExecutionException e) {
      throw new IOException("the server was stopped", e);
    } catch (ExecutionException e) {
      MemoryExhaustion.terminateIfExhausted(e.getCause());
      throw new IOException("the client has disconnected", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
