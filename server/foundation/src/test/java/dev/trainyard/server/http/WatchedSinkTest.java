package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class WatchedSinkTest {
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final AtomicBoolean allowed = new AtomicBoolean(true);
  private final Reply.Sink client =
      new Reply.Sink() {
        @Override
        public void write(byte[] bytes, int offset, int length) {
          written.write(bytes, offset, length);
        }

        @Override
        public boolean closed() {
          return false;
        }
      };

  @Test
  void write_accessRevoked_ends() throws IOException {
    WatchedSink sink = new WatchedSink(client, allowed::get, Duration.ZERO);
    sink.write(new byte[3], 0, 3);
    assertThat(sink.closed()).isFalse();
    allowed.set(false);
    assertThat(sink.closed()).isTrue();
    assertThatThrownBy(() -> sink.write(new byte[3], 0, 3)).isInstanceOf(IOException.class);
    assertThat(written.size()).isEqualTo(3);
    allowed.set(true);
    assertThat(sink.closed()).as("permanently closed").isTrue();
  }

  @Test
  void write_checksAccessPeriodically() {
    allowed.set(false);
    assertThat(new WatchedSink(client, allowed::get, Duration.ofDays(1)).closed()).isFalse();
  }
}
