package dev.trainyard.server.http;

import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The body of a paused request, read by one thread while it arrives. A piece is requested only
 * after the previous piece was read, so that a fast client cannot fill the memory. When the
 * response is sent, the unread rest of the body is discarded.
 */
final class BodyStream extends InputStream {
  /** Marks the end of the body in the queue. */
  private static final byte[] END = new byte[0];

  private final HttpServerRequest request;
  private final Context context;
  private final DataSize limit;
  private final BodyPace pace;

  /** Pieces, the end mark, or an exception. */
  private final BlockingQueue<Object> pieces = new LinkedBlockingQueue<>();

  private byte[] piece = new byte[0];
  private int position;
  private long receivedBytes;
  private long waitedNanos;
  private boolean isStarted;
  private boolean hasEnded;

  BodyStream(HttpServerRequest request, Context context, DataSize limit, BodyPace pace) {
    this.request = request;
    this.context = context;
    this.limit = limit;
    this.pace = pace;
  }

  private void begin() {
    request.handler(buffer -> pieces.add(bytes(buffer)));
    request.exceptionHandler(pieces::add);
    request.endHandler(_ -> pieces.add(END));
  }

  private static byte[] bytes(Buffer buffer) {
    return buffer.getBytes();
  }

  @Override
  public int read() throws IOException {
    byte[] oneByte = new byte[1];
    return read(oneByte, 0, 1) < 0 ? -1 : oneByte[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (!hasEnded && position == piece.length) {
      readPiece();
    }
    if (hasEnded) {
      return -1;
    }
    int count = Math.min(length, piece.length - position);
    System.arraycopy(piece, position, target, offset, count);
    position += count;
    return count;
  }

  private void readPiece() throws IOException {
    boolean isFirstRead = !isStarted;
    isStarted = true;
    context.runOnContext(
        _ -> {
          if (isFirstRead) {
            begin();
          }
          request.fetch(1);
        });
    switch (awaitPiece()) {
      case byte[] bytes when bytes.length == 0 -> hasEnded = true;
      case byte[] bytes -> {
        piece = bytes;
        position = 0;
        receivedBytes += bytes.length;
        if (receivedBytes > limit.bytes()) {
          throw new AppException(
              ErrorCode.TOO_LARGE, Message.of("error.body-too-large", "limit", limit.bytes()));
        }
      }
      case Throwable failure -> throw new IOException("the request body is incomplete", failure);
      default -> throw new IllegalStateException("unexpected element in the queue");
    }
  }

  private Object awaitPiece() throws IOException {
    long startNanos = System.nanoTime();
    try {
      Object piece =
          pieces.poll(pace.remainingNanos(waitedNanos, 0, receivedBytes), TimeUnit.NANOSECONDS);
      if (piece == null) {
        request.connection().close();
        throw new IOException("the request body arrives too slowly");
      }
      return piece;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      waitedNanos += System.nanoTime() - startNanos;
    }
  }
}
