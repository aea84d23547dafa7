package dev.trainyard.server.http;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MaxMessagesRecvByteBufAllocator;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.transport.Transport;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Socket transport for Vert.x, based on Java NIO, that registers every accepted connection before
 * anything is read from it. Vert.x itself reports a connection only after its TLS handshake.
 */
final class CountingTransport implements Transport {
  private static final Logger LOG = LoggerFactory.getLogger(CountingTransport.class);
  private static final Transport DEFAULT = Transport.NIO;
  private static final int PAUSE_MILLIS = 10;

  private final IdleConnections connections;

  CountingTransport(IdleConnections connections) {
    this.connections = connections;
  }

  @Override
  public String name() {
    return DEFAULT.name();
  }

  @Override
  public boolean available() {
    return true;
  }

  @Override
  public Throwable unavailabilityCause() {
    return null;
  }

  @Override
  public io.vertx.core.spi.transport.Transport implementation() {
    return new DelegatingTransport(DEFAULT.implementation());
  }

  /**
   * Returns whether a connection may stay open. Catches exceptions, because Netty would otherwise
   * close the listener.
   */
  private boolean isAccepted(Channel channel) {
    try {
      return connections.tryAccept(channel);
    } catch (RuntimeException e) {
      LOG.error("failed to limit the number of connections", e);
      return true;
    }
  }

  /**
   * Lets the server decide after every buffer whether to continue reading. By default, Netty reads
   * up to 16 buffers of 64 KB even if the server stops reading after the first buffer.
   */
  private static void limitRead(Channel channel) {
    if (channel.config().getRecvByteBufAllocator()
        instanceof MaxMessagesRecvByteBufAllocator buffers) {
      buffers.maxMessagesPerRead(1);
    }
  }

  private final class Listener extends NioServerSocketChannel {
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the event loop runs longer than the listener
    protected int doReadMessages(List<Object> accepted) throws Exception {
      if (connections.areTooMany()) {
        // Further connections wait in the kernel until the closed connections have released their
        // descriptors.
        config().setAutoRead(false);
        eventLoop().schedule(() -> config().setAutoRead(true), PAUSE_MILLIS, MILLISECONDS);
        return 0;
      }
      int firstNew = accepted.size();
      int count;
      try {
        count = super.doReadMessages(accepted);
      } catch (IOException e) {
        // Netty accepts no further connections for a second. After that time, descriptors are
        // available again.
        connections.descriptorsExhausted();
        throw e;
      }
      for (int i = accepted.size() - 1; i >= firstNew; i--) {
        Channel channel = (Channel) accepted.get(i);
        if (!isAccepted(channel)) {
          accepted.remove(i);
          channel.unsafe().closeForcibly();
        } else {
          limitRead(channel);
        }
      }
      return count;
    }
  }

  /** Delegates everything but the listening sockets to the default transport. */
  private final class DelegatingTransport implements io.vertx.core.spi.transport.Transport {
    private final io.vertx.core.spi.transport.Transport delegate;

    DelegatingTransport(io.vertx.core.spi.transport.Transport delegate) {
      this.delegate = delegate;
    }

    @Override
    public boolean supportsDomainSockets() {
      return delegate.supportsDomainSockets();
    }

    @Override
    public boolean supportFileRegion() {
      return delegate.supportFileRegion();
    }

    @Override
    public java.net.SocketAddress convert(io.vertx.core.net.SocketAddress address) {
      return delegate.convert(address);
    }

    @Override
    public io.vertx.core.net.SocketAddress convert(java.net.SocketAddress address) {
      return delegate.convert(address);
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
      return delegate.ioHandlerFactory();
    }

    @Override
    public EventLoopGroup eventLoopGroup(
        int type, int threads, ThreadFactory threadFactory, int ioRatio) {
      return delegate.eventLoopGroup(type, threads, threadFactory, ioRatio);
    }

    @Override
    public DatagramChannel datagramChannel() {
      return delegate.datagramChannel();
    }

    @Override
    @SuppressWarnings("deprecation") // required by the interface
    public DatagramChannel datagramChannel(io.netty.channel.socket.InternetProtocolFamily family) {
      return delegate.datagramChannel(family);
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
      return delegate.channelFactory(domainSocket);
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
      return domainSocket ? delegate.serverChannelFactory(true) : Listener::new;
    }

    @Override
    public void configure(
        DatagramChannel channel, io.vertx.core.datagram.DatagramSocketOptions options) {
      delegate.configure(channel, options);
    }

    @Override
    public void configure(
        io.vertx.core.net.ClientOptionsBase options,
        int connectTimeout,
        boolean domainSocket,
        io.netty.bootstrap.Bootstrap bootstrap) {
      delegate.configure(options, connectTimeout, domainSocket, bootstrap);
    }

    @Override
    public void configure(
        NetServerOptions options,
        boolean domainSocket,
        io.netty.bootstrap.ServerBootstrap bootstrap) {
      delegate.configure(options, domainSocket, bootstrap);
    }
  }
}
