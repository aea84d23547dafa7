package dev.trainyard.server.http;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A client that controls every byte it sends. */
final class RawClient implements AutoCloseable {
  private final Socket socket;

  RawClient(URI server) throws IOException {
    socket = new Socket(server.getHost(), server.getPort());
    socket.setSoTimeout(20_000);
  }

  RawClient send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  /** Sends the head of a request whose body follows. */
  RawClient post(String path, long length, String... headers) throws IOException {
    StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: a\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    return send(head.append("Content-Length: ").append(length).append("\r\n\r\n").toString());
  }

  /** Returns the status line of the response; empty if the connection was closed without one. */
  String status() throws IOException {
    StringBuilder line = new StringBuilder();
    try {
      for (int c = socket.getInputStream().read(); c >= 0 && c != '\r'; ) {
        line.append((char) c);
        c = socket.getInputStream().read();
      }
    } catch (java.net.SocketException e) {
      return "";
    }
    return line.toString();
  }

  /** Reads the rest of a response head, of which {@link #status} has read the first line. */
  void skipHead() throws IOException {
    // The status line was read up to its carriage return.
    for (boolean empty = false; !empty; ) {
      assertRead('\n');
      empty = status().isEmpty();
    }
    assertRead('\n');
  }

  private void assertRead(char expected) throws IOException {
    int read = socket.getInputStream().read();
    if (read != expected) {
      throw new IOException("expected " + (int) expected + " but read " + read);
    }
  }

  /** Reads until the server closes the connection. */
  String rest() throws IOException {
    try {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (java.net.SocketException e) {
      return "";
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
