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
 * Collects the body of a paused request. What is too long is read on without being kept, so that
 * the client, which listens only after it has sent everything, hears the answer; but not for ever.
 */
final class BodyReader {
  private static final long MOST_DISCARDED = 64L << 20;

  private final HttpServerRequest request;
  private final DataSize limit;
  private final CompletableFuture<Body> done = new CompletableFuture<>();
  private final long begun = System.nanoTime();

  /** Used by the event loop only; null once nothing is kept any more. */
  private BodyBytes kept;

  private volatile long seen;
  private volatile long lastPiece = begun;

  /**
   * @param account receives the number of bytes of memory to use, or refuses them by an
   *     AppException
   */
  BodyReader(HttpServerRequest request, DataSize limit, IntConsumer account) {
    this.request = request;
    this.limit = limit;
    this.kept = new BodyBytes(limit.bytes(), account);
  }

  /** Starts to read. Must be called on the request's event loop. */
  void begin() {
    request.handler(this::take);
    request.exceptionHandler(done::completeExceptionally);
    request.endHandler(end -> finish());
    request.resume();
  }

  /** Drops what was read and ends the wait with a refusal. Must be called on the event loop. */
  void refuse(AppException refusal) {
    kept = null;
    done.completeExceptionally(refusal);
  }

  /** Throws away what is left of a body nobody wants. Must be called on the event loop. */
  static void discard(HttpServerRequest request) {
    if (!request.isEnded()) {
      new BodyReader(request, DataSize.ZERO, _ -> {}).begin();
    }
  }

  /**
   * Waits for the whole body.
   *
   * @throws AppException if the account refused it
   * @throws IOException if it broke off or is too slow; the connection is closed then
   */
  Body await(BodyPace pace) throws IOException {
    while (true) {
      long now = System.nanoTime();
      long left = pace.left(now - begun, now - lastPiece, seen);
      if (left <= 0) {
        request.connection().close();
        throw new IOException("the body is too slow");
      }
      try {
        return done.get(left, TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        // The next round decides whether it is too slow.
      } catch (ExecutionException e) {
        if (e.getCause() instanceof AppException refusal) {
          throw refusal;
        }
        throw new IOException("the body broke off", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted");
      }
    }
  }

  private void take(Buffer piece) {
    long now = seen + piece.length();
    seen = now;
    lastPiece = System.nanoTime();
    if (now > limit.bytes()) {
      kept = null;
      if (now > limit.bytes() + MOST_DISCARDED) {
        request.connection().close();
      }
    } else if (kept != null) {
      try {
        kept.append(piece);
      } catch (AppException e) {
        refuse(e);
      }
    }
  }

  private void finish() {
    if (seen > limit.bytes()) {
      done.complete(Body.tooLarge(limit));
    } else if (kept != null) {
      done.complete(Body.of(kept.toArray(), limit));
    }
  }
}
