package dev.trainyard.server.http;

import dev.trainyard.model.AppException;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * The bytes of a body in one growing array, whose memory is accounted for. The pieces are not kept
 * as separate objects, because a client could send the body byte by byte, and the objects would
 * need thirty times the memory. Not thread-safe.
 */
final class BodyBytes {
  /** Maximum array length that every JVM can allocate. */
  private static final int MAX_ARRAY_LENGTH = Integer.MAX_VALUE - 8;

  private final long limit;
  private final IntConsumer account;
  private byte[] bytes = new byte[0];
  private int length;

  /**
   * @param limit maximum number of bytes; callers must not append more
   * @param account receives the number of additional bytes of memory; throws an AppException to
   *     reject them
   */
  BodyBytes(long limit, IntConsumer account) {
    this.limit = limit;
    this.account = account;
  }

  /**
   * Appends a piece.
   *
   * @throws AppException if the account rejected the memory; nothing is appended in that case
   */
  void append(Buffer piece) {
    int end = Math.addExact(length, piece.length());
    if (end > bytes.length) {
      int capacity =
          Math.max(end, (int) Math.min(limit, Math.min(2L * bytes.length, MAX_ARRAY_LENGTH)));
      account.accept(capacity - bytes.length);
      bytes = Arrays.copyOf(bytes, capacity);
    }
    piece.getBytes(bytes, length);
    length = end;
  }

  byte[] toArray() {
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }
}
