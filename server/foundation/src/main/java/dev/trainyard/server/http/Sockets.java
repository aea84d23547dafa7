package dev.trainyard.server.http;

import io.netty.channel.Channel;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Upgrades requests to WebSocket sessions, and ends the sessions when the server stops or the
 * caller's access is revoked. Thread-safe.
 */
final class Sockets {
  private static final Logger LOG = LoggerFactory.getLogger(Sockets.class);

  /** Interval at which the access of the caller is checked. */
  private static final Duration CHECK_INTERVAL = Duration.ofSeconds(30);

  private final Duration timeout;
  private final Set<VertxSocket> openSockets = ConcurrentHashMap.newKeySet();
  private volatile boolean stopping;

  Sockets(Duration timeout) {
    this.timeout = timeout;
  }

  /** Returns whether a request is for a WebSocket. */
  static boolean isRequested(Request request) {
    return request.header("Upgrade").orElse("").equalsIgnoreCase("websocket");
  }

  /** Runs a session until the session or the client ends it, and closes the session in any case. */
  void run(
      HttpServerRequest request,
      Context context,
      WebSocketSession webSocketSession,
      BooleanSupplier stillAllowed)
      throws IOException {
    try (webSocketSession) {
      VertxSocket socket = upgrade(request, context);
      openSockets.add(socket);
      CountDownLatch ended = new CountDownLatch(1);
      Thread.startVirtualThread(() -> closeWhenRevoked(socket, stillAllowed, ended));
      Socket.CloseReason closeReason = Socket.CloseReason.FAILED;
      try {
        if (!stopping) {
          webSocketSession.run(socket);
        }
        closeReason = Socket.CloseReason.DONE;
      } finally {
        ended.countDown();
        openSockets.remove(socket);
        socket.close(stopping ? Socket.CloseReason.SERVER_ENDS : closeReason);
      }
    }
  }

  private VertxSocket upgrade(HttpServerRequest request, Context context) throws IOException {
    CompletableFuture<VertxSocket> upgraded = new CompletableFuture<>();
    context.runOnContext(
        now -> {
          try {
            Channel channel = StrictFraming.channel(request.connection());
            Future<VertxSocket> future =
                request.toWebSocket().map(socket -> new VertxSocket(socket, context, channel));
            future.onComplete(upgraded::complete, upgraded::completeExceptionally);
          } catch (RuntimeException e) {
            upgraded.completeExceptionally(e);
          }
        });
    try {
      return upgraded.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      request.connection().close();
      throw new IOException("failed to establish the WebSocket", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Closes the socket if the caller's access is revoked before the session has ended. */
  private static void closeWhenRevoked(
      VertxSocket socket, BooleanSupplier stillAllowed, CountDownLatch ended) {
    try {
      while (!ended.await(CHECK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
        if (!isAllowed(stillAllowed)) {
          socket.close(Socket.CloseReason.NO_LONGER_ALLOWED);
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns the result of the check; true if the check fails, for example because the database is
   * unavailable.
   */
  private static boolean isAllowed(BooleanSupplier stillAllowed) {
    try {
      return stillAllowed.getAsBoolean();
    } catch (RuntimeException e) {
      LOG.warn("failed to check whether a WebSocket is still allowed; will retry", e);
      return true;
    }
  }

  int openCount() {
    return openSockets.size();
  }

  /** Closes all connections; new connections are closed immediately. */
  void closeAll() {
    stopping = true;
    openSockets.forEach(socket -> socket.close(Socket.CloseReason.SERVER_ENDS));
  }
}
