package dev.trainyard.server.http;

import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;

/**
 * Collects the body of a paused request. If the body is too long, up to {@link #MAX_DISCARDED}
 * further bytes are read and discarded, so that a client that reads only after it has sent the
 * whole body still gets the response.
 */
final class BodyReader {
  private static final long MAX_DISCARDED = 64L << 20;

  private final HttpServerRequest request;
  private final DataSize limit;
  private final CompletableFuture<Body> result = new CompletableFuture<>();
  private final long startNanos = System.nanoTime();

  /** Used by the event loop only; null if the body is discarded. */
  private BodyBytes keptBytes;

  private volatile long receivedBytes;
  private volatile long lastPieceNanos = startNanos;

  /**
   * @param account receives the number of additional bytes of memory; throws an AppException to
   *     reject them
   */
  BodyReader(HttpServerRequest request, DataSize limit, IntConsumer account) {
    this.request = request;
    this.limit = limit;
    this.keptBytes = new BodyBytes(limit.bytes(), account);
  }

  /** Starts reading. Must be called on the request's event loop. */
  void begin() {
    request.handler(this::handlePiece);
    request.exceptionHandler(result::completeExceptionally);
    request.endHandler(end -> finish());
    request.resume();
  }

  /** Drops the received bytes and ends the wait with an error. Must be called on the event loop. */
  void reject(AppException rejection) {
    keptBytes = null;
    result.completeExceptionally(rejection);
  }

  /** Discards the rest of a body that is not needed. Must be called on the event loop. */
  static void discard(HttpServerRequest request) {
    if (!request.isEnded()) {
      new BodyReader(request, DataSize.ZERO, _ -> {}).begin();
    }
  }

  /**
   * Waits for the whole body.
   *
   * @throws AppException if the account rejected the memory of the body
   * @throws IOException if the body is incomplete, or arrives too slowly; in the latter case the
   *     connection is closed
   */
  Body await(BodyPace pace) throws IOException {
    while (true) {
      long now = System.nanoTime();
      long remainingNanos =
          pace.remainingNanos(now - startNanos, now - lastPieceNanos, receivedBytes);
      if (remainingNanos <= 0) {
        request.connection().close();
        throw new IOException("the request body arrives too slowly");
      }
      try {
        return result.get(remainingNanos, TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        // The next iteration decides whether the body arrives too slowly.
      } catch (ExecutionException e) {
        if (e.getCause() instanceof AppException rejection) {
          throw rejection;
        }
        throw new IOException("the request body is incomplete", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted");
      }
    }
  }

  private void handlePiece(Buffer piece) {
    long totalBytes = receivedBytes + piece.length();
    receivedBytes = totalBytes;
    lastPieceNanos = System.nanoTime();
    if (totalBytes > limit.bytes()) {
      keptBytes = null;
      if (totalBytes > limit.bytes() + MAX_DISCARDED) {
        request.connection().close();
      }
    } else if (keptBytes != null) {
      try {
        keptBytes.append(piece);
      } catch (AppException e) {
        reject(e);
      }
    }
  }

  private void finish() {
    if (receivedBytes > limit.bytes()) {
      result.complete(Body.tooLarge(limit));
    } else if (keptBytes != null) {
      result.complete(Body.of(keptBytes.toArray(), limit));
    }
  }
}
