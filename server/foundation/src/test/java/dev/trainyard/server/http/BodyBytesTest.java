package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BodyBytesTest {
  private final AtomicInteger accounted = new AtomicInteger();

  @Test
  void append_onePiece_usesItsLength() {
    BodyBytes body = new BodyBytes(1000, accounted::addAndGet);
    body.append(Buffer.buffer("hello"));
    assertThat(new String(body.toArray(), StandardCharsets.UTF_8)).isEqualTo("hello");
    assertThat(accounted).hasValue(5);
  }

  @Test
  void append_byteByByte_usesAtMostTwiceTheLengthAndNeverMoreThanTheLimit() {
    int limit = 70_000;
    BodyBytes body = new BodyBytes(limit, accounted::addAndGet);
    for (int i = 0; i < limit; i++) {
      body.append(Buffer.buffer(new byte[] {(byte) i}));
      assertThat(accounted.get()).isBetween(i + 1, Math.min(limit, 2 * (i + 1)));
    }
    byte[] allBytes = body.toArray();
    assertThat(allBytes).hasSize(limit);
    for (int i = 0; i < limit; i++) {
      if (allBytes[i] != (byte) i) {
        throw new AssertionError("byte " + i);
      }
    }
  }

  @Test
  void append_rejectedMemory_keepsPreviousBytes() {
    BodyBytes body =
        new BodyBytes(
            1000,
            bytes -> {
              if (accounted.addAndGet(bytes) > 4) {
                throw new AppException(
                    ErrorCode.TOO_LARGE, Message.of("error.body-too-large", "limit", "4"));
              }
            });
    body.append(Buffer.buffer("abcd"));
    assertThatThrownBy(() -> body.append(Buffer.buffer("e"))).isInstanceOf(AppException.class);
    assertThat(body.toArray()).isEqualTo("abcd".getBytes(StandardCharsets.UTF_8));
  }
}
