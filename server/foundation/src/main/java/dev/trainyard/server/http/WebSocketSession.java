package dev.trainyard.server.http;

import java.io.IOException;

/**
 * Result of an endpoint of {@link Routes#addSocket}, instead of a response. Client and server
 * exchange messages until one of them ends the session. The session is closed in any case, even if
 * the connection was never established.
 */
public interface WebSocketSession extends AutoCloseable {
  /**
   * Runs the session in blocking code on a virtual thread. When it returns, the connection is
   * closed.
   */
  void run(Socket socket) throws IOException;

  @Override
  void close();
}
