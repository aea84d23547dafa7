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
 * its input, read data is its output. This class does not use the library, because the library
 * cannot close the input without the output.
 */
final class HijackedConnection implements AutoCloseable {
  private static final int MAX_HEADER_BYTES = 16 * 1024;
  private static final String UPGRADE_HEADERS = "Connection: Upgrade\r\nUpgrade: tcp\r\n";

  private final SocketChannel channel;

  private HijackedConnection(SocketChannel channel) {
    this.channel = channel;
  }

  /**
   * Starts a command that was already created, and connects to its streams.
   *
   * @throws EngineException if the engine rejects the request
   */
  static HijackedConnection start(DockerConnection docker, String execution, boolean terminal)
      throws IOException {
    byte[] body =
        ("{\"Detach\":false,\"Tty\":" + terminal + "}").getBytes(StandardCharsets.US_ASCII);
    String headers = "Content-Type: application/json\r\n" + UPGRADE_HEADERS;
    try {
      return open(docker, "exec/" + execution + "/start", headers, body);
    } catch (EngineException e) {
      throw new EngineException("the task does not accept commands: " + e.getMessage());
    }
  }

  /**
   * Attaches to the streams of a container's first process, which may not have been started yet.
   *
   * @throws EngineException if the engine rejects the request
   */
  static HijackedConnection attach(DockerConnection docker, String container) throws IOException {
    String path = "containers/" + container + "/attach?stream=1&stdin=1&stdout=1&stderr=1";
    return open(docker, path, UPGRADE_HEADERS, new byte[0]);
  }

  /**
   * Sends a request with an archive as its body. The library would omit the body.
   *
   * @return the response of the engine, including any framing
   * @throws EngineException if the engine rejects the request
   */
  static String send(DockerConnection docker, String path, byte[] archive) throws IOException {
    String headers = "Content-Type: application/x-tar\r\nConnection: close\r\n";
    try (HijackedConnection connection = open(docker, path, headers, archive)) {
      StringBuilder response = new StringBuilder();
      byte[] chunk = new byte[MAX_HEADER_BYTES];
      int count = connection.read(chunk, 0, chunk.length);
      while (count >= 0 && response.length() < MAX_HEADER_BYTES) {
        response.append(new String(chunk, 0, count, StandardCharsets.UTF_8));
        count = connection.read(chunk, 0, chunk.length);
      }
      return response.toString();
    }
  }

  private static HijackedConnection open(
      DockerConnection docker, String path, String headers, byte[] body) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    HijackedConnection connection = new HijackedConnection(channel);
    try {
      channel.connect(UnixDomainSocketAddress.of(docker.socket()));
      connection.write(
          "POST /v%s/%s HTTP/1.1\r\nHost: docker\r\n%sContent-Length: %d\r\n\r\n"
              .formatted(docker.version().getApiVersion(), path, headers, body.length)
              .getBytes(StandardCharsets.US_ASCII));
      connection.write(body);
      String status = connection.readHeader().lines().findFirst().orElse("");
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
  private String readHeader() throws IOException {
    StringBuilder text = new StringBuilder();
    byte[] buffer = new byte[1];
    while (text.indexOf("\r\n\r\n") < 0) {
      if (text.length() > MAX_HEADER_BYTES || read(buffer, 0, 1) < 0) {
        throw new EOFException("Docker does not respond");
      }
      text.append((char) buffer[0]);
    }
    return text.toString();
  }

  int read(byte[] target, int offset, int length) throws IOException {
    return channel.read(ByteBuffer.wrap(target, offset, length));
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
