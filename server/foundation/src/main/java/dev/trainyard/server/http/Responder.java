package dev.trainyard.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.trainyard.engine.linux.MemoryExhaustion;
import dev.trainyard.server.work.WorkPools;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * Sends one response from a virtual thread. Every step runs on the event loop, and the virtual
 * thread waits for it. This provides back-pressure: the next piece is produced only after the
 * previous piece was sent.
 */
final class Responder {
  /**
   * Maximum length of a response that is compressed on the calling thread; a longer response is
   * compressed in a pool.
   */
  private static final int MAX_INLINE_LENGTH = 128 * 1024;

  /**
   * Maximum length of a piece, which limits the direct memory that a client occupies if it does not
   * read.
   */
  private static final int PIECE_SIZE = 64 * 1024;

  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final Context context;
  private final String requestId;
  private final Duration timeout;
  private final BooleanSupplier isServerStopping;

  Responder(
      HttpServerRequest request,
      Context context,
      String requestId,
      Duration timeout,
      BooleanSupplier isServerStopping) {
    this.request = request;
    this.response = request.response();
    this.context = context;
    this.requestId = requestId;
    this.timeout = timeout;
    this.isServerStopping = isServerStopping;
  }

  /**
   * Sends the response and discards the unread rest of the request; throws IOException if the
   * client has disconnected.
   *
   * @param beforeSend called before the first byte is sent, with the number of bytes of memory that
   *     the response occupies until it is sent. The number is 0 for a stream, because its content
   *     is produced while it is sent, and for a byte array, because several responses share it. If
   *     the callback throws, nothing is sent.
   */
  void send(Reply reply, IntConsumer beforeSend) throws IOException {
    if (reply.body() instanceof Reply.Stream stream) {
      beforeSend.accept(0);
      sendStream(reply, stream);
    } else {
      sendWhole(reply, beforeSend);
    }
    if (!request.isEnded()) {
      await(
          () -> {
            BodyReader.discard(request);
            return Future.succeededFuture();
          });
    }
  }

  private void sendWhole(Reply reply, IntConsumer beforeSend) throws IOException {
    byte[] uncompressed =
        WorkPools.runForCount(ElementCount.of(reply.body()), () -> toBytes(reply.body()));
    boolean isCompressed =
        isJson(reply.body()) && ResponseCompression.shouldCompress(request, uncompressed.length);
    byte[] bytes = isCompressed ? compress(uncompressed) : uncompressed;
    // Uses the uncompressed length, because the objects of the response stay in memory too.
    beforeSend.accept(reply.body() instanceof byte[] ? 0 : uncompressed.length);
    await(
        () -> {
          writeHead(reply);
          if (isCompressed) {
            response.putHeader("Content-Encoding", "gzip");
          }
          if (reply.status() != 204 && reply.status() != 304) {
            response.putHeader("Content-Length", Integer.toString(bytes.length));
          }
          if (isHead()) {
            return response.end();
          }
          return bytes.length <= PIECE_SIZE
              ? response.end(Buffer.buffer(bytes))
              : response.write(piece(bytes, 0));
        });
    for (int offset = PIECE_SIZE; offset < bytes.length && !isHead(); offset += PIECE_SIZE) {
      Buffer next = piece(bytes, offset);
      boolean isLast = bytes.length - offset <= PIECE_SIZE;
      await(() -> isLast ? response.end(next) : response.write(next));
    }
  }

  /** Ends the response and its connection immediately; can be called on any thread. */
  void abort() {
    IdleConnections.closeNow(StrictFraming.channel(request.connection()));
  }

  private static Buffer piece(byte[] bytes, int offset) {
    int length = Math.min(PIECE_SIZE, bytes.length - offset);
    return Buffer.buffer(length).appendBytes(bytes, offset, length);
  }

  private static byte[] compress(byte[] uncompressed) throws IOException {
    return uncompressed.length <= MAX_INLINE_LENGTH
        ? ResponseCompression.compress(uncompressed)
        : WorkPools.PARSING.resume(() -> ResponseCompression.compress(uncompressed));
  }

  private void sendStream(Reply reply, Reply.Stream stream) throws IOException {
    await(
        () -> {
          writeHead(reply);
          response.setChunked(!reply.headers().containsKey("Content-Length"));
          return isHead() ? response.end() : response.writeHead();
        });
    if (isHead()) {
      return;
    }
    StreamSink sink = new StreamSink();
    try {
      stream.writeTo(sink);
      if (sink.interrupted) {
        throw new IOException("the server is stopping");
      }
    } catch (IOException | RuntimeException e) {
      // The status was already sent, so only a broken connection can indicate an error.
      request.connection().close();
      throw e;
    }
    await(response::end);
  }

  private final class StreamSink implements Reply.Sink {
    /**
     * Whether the stream ends because the server is stopping. In this case, a regular end would
     * indicate that the stream is complete, and the client would not reconnect.
     */
    private boolean interrupted;

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (length > 0) {
        Buffer piece = Buffer.buffer(length).appendBytes(bytes, offset, length);
        await(() -> response.write(piece));
      }
    }

    @Override
    public boolean closed() {
      if (isServerStopping.getAsBoolean()) {
        interrupted = true;
      }
      return interrupted || response.closed();
    }
  }

  private boolean isHead() {
    return request.method().name().equals("HEAD");
  }

  private void writeHead(Reply reply) {
    response.setStatusCode(reply.status());
    var headers = response.headers();
    headers.set("X-Request-Id", requestId);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("X-Frame-Options", "DENY");
    headers.set("Referrer-Policy", "same-origin");
    headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    headers.set("Cache-Control", "no-store");
    if (request.isSSL()) {
      headers.set("Strict-Transport-Security", "max-age=31536000");
    }
    String type = defaultType(reply.body());
    if (type != null) {
      headers.set("Content-Type", type);
    }
    if (isJson(reply.body())) {
      headers.set("Vary", "Accept-Encoding");
    }
    reply.headers().forEach(headers::set);
    reply.cookies().forEach(cookie -> headers.add("Set-Cookie", cookie));
    if (isServerStopping.getAsBoolean()) {
      headers.set("Connection", "close");
    }
  }

  private static boolean isJson(Object body) {
    return "application/json".equals(defaultType(body));
  }

  private static String defaultType(Object body) {
    return switch (body) {
      case null -> null;
      case String text -> "text/plain; charset=utf-8";
      case byte[] bytes -> "application/octet-stream";
      case Reply.Stream stream -> "application/octet-stream";
      default -> "application/json";
    };
  }

  private static byte[] toBytes(Object body) throws JsonProcessingException {
    return switch (body) {
      case null -> new byte[0];
      case String text -> text.getBytes(StandardCharsets.UTF_8);
      case byte[] bytes -> bytes;
      default -> Json.MAPPER.writeValueAsBytes(body);
    };
  }

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
      completion.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      throw new IOException("the server was stopped", e);
    } catch (TimeoutException e) {
      request.connection().close();
      throw new IOException("timeout: the client does not read the response", e);
    } catch (ExecutionException e) {
      MemoryExhaustion.terminateIfExhausted(e.getCause());
      throw new IOException("the client has disconnected", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
