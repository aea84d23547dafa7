package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * A connection to the engine that has become the streams of a command: what is written is its
 * input, what is read its output. Spoken by hand, as the library can't end the input alone.
 */
final class HijackedConnection implements AutoCloseable {
  private static final int LONGEST_HEAD = 16 * 1024;

  private final SocketChannel channel;

  private HijackedConnection(SocketChannel channel) {
    this.channel = channel;
  }

  /**
   * Starts a command that was created.
   *
   * @throws EngineException if the engine refuses
   */
  static HijackedConnection start(DockerConnection docker, String execution, boolean terminal)
      throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    HijackedConnection connection = new HijackedConnection(channel);
    try {
      channel.connect(UnixDomainSocketAddress.of(docker.socket()));
      String body = "{\"Detach\":false,\"Tty\":" + terminal + "}";
      connection.write(
          ("POST /v%s/exec/%s/start HTTP/1.1\r\nHost: docker\r\nContent-Type: application/json\r\n"
                  + "Connection: Upgrade\r\nUpgrade: tcp\r\nContent-Length: %d\r\n\r\n%s")
              .formatted(docker.version().getApiVersion(), execution, body.length(), body)
              .getBytes(StandardCharsets.US_ASCII));
      String head = connection.head();
      String status = head.lines().findFirst().orElse("");
      if (!status.matches("HTTP/1\\.1 (101|200) .*")) {
        throw new EngineException("the task does not take commands: Docker says " + status);
      }
      return connection;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Byte by byte, as what follows is not ours to take. */
  private String head() throws IOException {
    StringBuilder text = new StringBuilder();
    byte[] one = new byte[1];
    while (text.indexOf("\r\n\r\n") < 0) {
      if (text.length() > LONGEST_HEAD || read(one, 0, 1) < 0) {
        throw new EOFException("Docker does not answer");
      }
      text.append((char) one[0]);
    }
    return text.toString();
  }

  int read(byte[] to, int offset, int length) throws IOException {
    return channel.read(ByteBuffer.wrap(to, offset, length));
  }

  void write(byte[] bytes) throws IOException {
    write(bytes, 0, bytes.length);
  }

  synchronized void write(byte[] bytes, int offset, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  void endInput() throws IOException {
    channel.shutdownOutput();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
