package dev.trainyard.server.http;

import dev.trainyard.model.DataSize;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;

/**
 * Collects the body of a paused request. What is too long is read on without being kept, so that
 * the client, which listens only after it has sent everything, hears the answer; but not for ever.
 */
final class BodyReader {
  private static final long MOST_DISCARDED = 64L << 20;

  private final HttpServerRequest request;
  private final DataSize limit;
  private final CompletableFuture<Body> done;
  private ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private long seen;

  private BodyReader(HttpServerRequest request, DataSize limit, CompletableFuture<Body> done) {
    this.request = request;
    this.limit = limit;
    this.done = done;
  }

  /** Must be called on the request's event loop. */
  static void read(HttpServerRequest request, DataSize limit, CompletableFuture<Body> done) {
    BodyReader reader = new BodyReader(request, limit, done);
    request.handler(reader::take);
    request.exceptionHandler(reader.done::completeExceptionally);
    request.endHandler(end -> reader.finish());
    request.resume();
  }

  /** Throws away what is left of a body nobody wants. Must be called on the event loop. */
  static void discard(HttpServerRequest request) {
    if (!request.isEnded()) {
      read(request, DataSize.ZERO, new CompletableFuture<>());
    }
  }

  private void take(Buffer piece) {
    seen += piece.length();
    if (seen <= limit.bytes()) {
      kept.writeBytes(piece.getBytes());
    } else {
      kept = null;
      if (seen > limit.bytes() + MOST_DISCARDED) {
        request.connection().close();
      }
    }
  }

  private void finish() {
    done.complete(seen > limit.bytes() ? Body.tooLarge(limit) : Body.of(kept.toByteArray(), limit));
  }
}
