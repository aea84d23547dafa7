package dev.trainyard.engine.docker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A socket that forwards to the host's Docker engine and can be disconnected, because other tests
 * use the engine at the same time.
 */
final class DisconnectableSocket implements AutoCloseable {
  private final Path socket;
  private final Path engineSocket;
  private final Set<SocketChannel> openChannels = ConcurrentHashMap.newKeySet();
  private ServerSocketChannel server;

  DisconnectableSocket(Path socket, Path engineSocket) {
    this.socket = socket;
    this.engineSocket = engineSocket;
    reconnect();
  }

  /** Stops accepting connections and closes the existing ones. */
  synchronized void disconnect() {
    try {
      server.close();
      Files.deleteIfExists(socket);
      for (SocketChannel channel : openChannels) {
        channel.close();
      }
      openChannels.clear();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Accepts connections again. */
  synchronized void reconnect() {
    try {
      ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      listener.bind(UnixDomainSocketAddress.of(socket));
      server = listener;
      Thread.ofVirtual().start(() -> accept(listener));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept(ServerSocketChannel listener) {
    try {
      while (true) {
        SocketChannel client = listener.accept();
        SocketChannel engineChannel = SocketChannel.open(UnixDomainSocketAddress.of(engineSocket));
        if (!track(listener, client, engineChannel)) {
          return;
        }
        Thread.ofPlatform().daemon().start(() -> forward(client, engineChannel));
        Thread.ofPlatform().daemon().start(() -> forward(engineChannel, client));
      }
    } catch (IOException e) {
      // disconnected
    }
  }

  /**
   * Remembers a new connection, so that {@link #disconnect} closes it. Closes it and returns false
   * if the socket was disconnected in the meantime.
   */
  private synchronized boolean track(
      ServerSocketChannel listener, SocketChannel client, SocketChannel engineChannel)
      throws IOException {
    if (!listener.isOpen()) {
      client.close();
      engineChannel.close();
      return false;
    }
    openChannels.add(client);
    openChannels.add(engineChannel);
    return true;
  }

  private static void forward(SocketChannel source, SocketChannel target) {
    ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    try {
      while (source.read(buffer) >= 0) {
        buffer.flip();
        while (buffer.hasRemaining()) {
          target.write(buffer);
        }
        buffer.clear();
      }
      target.shutdownOutput();
    } catch (IOException e) {
      // disconnected
    }
  }

  @Override
  public void close() {
    disconnect();
  }
}
