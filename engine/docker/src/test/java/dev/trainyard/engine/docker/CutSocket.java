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

/** A way to the machine's Docker engine that can be cut: others use the engine meanwhile. */
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

  /** From now on nobody answers, and whoever was connected is not any more. */
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
      // cut
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
      // cut
    }
  }

  @Override
  public void close() {
    cut();
  }
}
