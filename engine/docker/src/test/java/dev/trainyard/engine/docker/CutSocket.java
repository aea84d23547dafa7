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
final class CutSocket implements AutoCloseable {
  private final Path place;
  private final Path engine;
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
  private ServerSocketChannel server;

  CutSocket(Path place, Path engine) {
    this.place = place;
    this.engine = engine;
    mend();
  }

  /** Stops accepting connections and closes the existing ones. */
  void cut() {
    try {
      server.close();
      Files.deleteIfExists(place);
      for (SocketChannel channel : open) {
        channel.close();
      }
      open.clear();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void mend() {
    try {
      ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      listening.bind(UnixDomainSocketAddress.of(place));
      server = listening;
      Thread.ofVirtual().start(() -> accept(listening));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept(ServerSocketChannel listening) {
    try {
      while (true) {
        SocketChannel client = listening.accept();
        SocketChannel there = SocketChannel.open(UnixDomainSocketAddress.of(engine));
        open.add(client);
        open.add(there);
        Thread.ofPlatform().daemon().start(() -> carry(client, there));
        Thread.ofPlatform().daemon().start(() -> carry(there, client));
      }
    } catch (IOException e) {
      // disconnected
    }
  }

  private static void carry(SocketChannel from, SocketChannel to) {
    ByteBuffer piece = ByteBuffer.allocate(1 << 16);
    try {
      while (from.read(piece) >= 0) {
        piece.flip();
        while (piece.hasRemaining()) {
          to.write(piece);
        }
        piece.clear();
      }
      to.shutdownOutput();
    } catch (IOException e) {
      // disconnected
    }
  }

  @Override
  public void close() {
    cut();
  }
}
