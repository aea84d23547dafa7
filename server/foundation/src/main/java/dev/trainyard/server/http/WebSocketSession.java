package dev.trainyard.server.http;

import java.io.IOException;

/**
 * What an endpoint of {@link Routes#addSocket} returns instead of an answer: both sides talk as
 * long as they like. It is closed in any case, also if the connection never came to be.
 */
public interface WebSocketSession extends AutoCloseable {
  /**
   * Talks, as plain blocking code on a virtual thread. When it returns, the connection is closed.
   */
  void talk(Socket socket) throws IOException;

  @Override
  void close();
}
