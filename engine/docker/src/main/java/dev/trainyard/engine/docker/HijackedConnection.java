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
 * A connection to the engine that has been upgraded to the streams of a process: written data is
 * its input, read data is its output. Implemented without the library because the library cannot
 * close the input alone.
 */
final class HijackedConnection implements AutoCloseable {
  private static final int LONGEST_HEAD = 16 * 1024;
  private static final String UPGRADE = "Connection: Upgrade\r\nUpgrade: tcp\r\n";

  private final SocketChannel channel;

  private HijackedConnection(SocketChannel channel) {
    this.channel = channel;
  }

  /**
   * Starts a command that was created.
   *
   * @throws EngineException if the engine rejects it
   */
  static HijackedConnection start(DockerConnection docker, String execution, boolean terminal)
      throws IOException {
    byte[] body =
        ("{\"Detach\":false,\"Tty\":" + terminal + "}").getBytes(StandardCharsets.US_ASCII);
    String head = "Content-Type: application/json\r\n" + UPGRADE;
    try {
      return open(docker, "exec/" + execution + "/start", head, body);
    } catch (EngineException e) {
      throw new EngineException("the task does not accept commands: " + e.getMessage());
    }
  }

  /**
   * Attaches to the streams of a container's first process, which may not have been started yet.
   *
   * @throws EngineException if the engine rejects it
   */
  static HijackedConnection attach(DockerConnection docker, String container) throws IOException {
    String path = "containers/" + container + "/attach?stream=1&stdin=1&stdout=1&stderr=1";
    return open(docker, path, UPGRADE, new byte[0]);
  }

  /**
   * Sends an archive, which the library omits.
   *
   * @return the response of the engine, including any framing
   * @throws EngineException if the engine rejects it
   */
  static String send(DockerConnection docker, String path, byte[] archive) throws IOException {
    String head = "Content-Type: application/x-tar\r\nConnection: close\r\n";
    try (HijackedConnection connection = open(docker, path, head, archive)) {
      StringBuilder said = new StringBuilder();
      byte[] piece = new byte[LONGEST_HEAD];
      int count = connection.read(piece, 0, piece.length);
      while (count >= 0 && said.length() < LONGEST_HEAD) {
        said.append(new String(piece, 0, count, StandardCharsets.UTF_8));
        count = connection.read(piece, 0, piece.length);
      }
      return said.toString();
    }
  }

  private static HijackedConnection open(
      DockerConnection docker, String path, String head, byte[] body) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    HijackedConnection connection = new HijackedConnection(channel);
    try {
      channel.connect(UnixDomainSocketAddress.of(docker.socket()));
      connection.write(
          "POST /v%s/%s HTTP/1.1\r\nHost: docker\r\n%sContent-Length: %d\r\n\r\n"
              .formatted(docker.version().getApiVersion(), path, head, body.length)
              .getBytes(StandardCharsets.US_ASCII));
      connection.write(body);
      String status = connection.head().lines().findFirst().orElse("");
      if (!status.matches("HTTP/1\\.1 (101|200) .*")) {
        throw new EngineException("Docker returned " + status);
      }
      return connection;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Reads the response header byte by byte, because the bytes after it belong to the stream. */
  private String head() throws IOException {
    StringBuilder text = new StringBuilder();
    byte[] one = new byte[1];
    while (text.indexOf("\r\n\r\n") < 0) {
      if (text.length() > LONGEST_HEAD || read(one, 0, 1) < 0) {
        throw new EOFException("Docker does not respond");
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
