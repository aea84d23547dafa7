package dev.trainyard.engine.docker;

import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Checks whether a Docker engine responds, on a separate connection and with a time limit. */
final class DockerPing {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final byte[] REQUEST =
      "GET /_ping HTTP/1.0\r\nHost: docker\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private DockerPing() {}

  /** Returns the reason if the engine at this socket does not respond; empty if it does. */
  static Optional<String> failure(Path socket) {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      channel.write(ByteBuffer.wrap(REQUEST));
      // The channel has no read timeout.
      CompletableFuture<String> statusLine = new CompletableFuture<>();
      Thread.ofVirtual().name("docker-ping").start(() -> readStatusLine(channel, statusLine));
      String line = statusLine.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      return line.matches("HTTP/1\\.. 200.*")
          ? Optional.empty()
          : Optional.of("it responds with " + line);
    } catch (IOException | ExecutionException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (TimeoutException e) {
      return Optional.of("it does not respond within " + TIMEOUT.toSeconds() + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static void readStatusLine(SocketChannel channel, CompletableFuture<String> statusLine) {
    try {
      InputStream in = Channels.newInputStream(channel);
      String text = new String(in.readNBytes(12), StandardCharsets.US_ASCII);
      statusLine.complete(text);
    } catch (IOException e) {
      statusLine.completeExceptionally(e);
    }
  }
}
