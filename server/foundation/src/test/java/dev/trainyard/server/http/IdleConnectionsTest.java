package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.DataSize;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class IdleConnectionsTest {
  private final IdleConnections connections =
      new IdleConnections(
          Duration.ofMinutes(1),
          new LoadLimits(
              Duration.ofSeconds(30),
              1_024,
              DataSize.ofMegabytes(4),
              DataSize.ofMegabytes(64),
              1,
              1),
          _ -> false);

  /** Behaves like TLS while the client does not read its last bytes. */
  private static final class SlowClose extends ChannelOutboundHandlerAdapter {
    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
      // Waits for the client.
    }
  }

  @Test
  void accepted_beyondTheLimit_closesTheOldestImmediately() {
    EmbeddedChannel oldest = new EmbeddedChannel(new SlowClose());
    EmbeddedChannel newest = new EmbeddedChannel();
    assertThat(connections.tryAccept(oldest)).isTrue();
    assertThat(connections.tryAccept(newest)).isTrue();
    oldest.runPendingTasks();
    assertThat(oldest.isOpen()).isFalse();
    assertThat(newest.isOpen()).isTrue();
    assertThat(connections.openCount()).isEqualTo(1);
    newest.finish();
  }

  @Test
  void signedIn_closedDuringTheRequest_countIsReleased() {
    EmbeddedChannel channel = new EmbeddedChannel();
    assertThat(connections.tryAccept(channel)).isTrue();
    connections.requestBegins(channel);
    assertThat(connections.tryAddUser(channel, "u1", false)).isTrue();
    assertThat(connections.userCount()).isEqualTo(1);
    var _ = channel.close();
    connections.requestEnds(channel);
    assertThat(connections.userCount()).isZero();
    assertThat(connections.tryAddUser(channel, "u1", false)).isTrue();
    assertThat(connections.userCount()).isZero();
  }
}
