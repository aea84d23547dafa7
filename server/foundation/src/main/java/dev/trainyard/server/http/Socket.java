package dev.trainyard.server.http;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A connection on which both sides send binary messages (a WebSocket). Thread-safe. */
public interface Socket {
  /** Maximum length of a received message. If a sender exceeds it, the connection is closed. */
  int MAX_MESSAGE_LENGTH = 64 * 1024;

  /**
   * Waits for the next message; returns empty once the peer has disconnected or the server is
   * stopping. Messages are read from the connection only during calls of this method, so that a
   * fast sender has to wait.
   */
  Optional<byte[]> receive() throws IOException;

  /**
   * Sends a message and waits until it was sent; throws IOException if the peer has disconnected.
   */
  void send(byte[] message) throws IOException;

  /**
   * Completes once the peer has disconnected or the server is stopping, even if no thread waits for
   * a message. Dependent actions must not block.
   */
  CompletionStage<Void> ended();

  /** Closes the connection, with a reason for the peer. */
  void close(CloseReason reason);

  /** Reason for closing a connection, with the codes of RFC 6455. */
  enum CloseReason {
    DONE(1000, "done"),
    SERVER_ENDS(1001, "the server is stopping"),
    NOT_UNDERSTOOD(1003, "only binary messages are supported"),
    NO_LONGER_ALLOWED(1008, "the sign-in is no longer valid"),
    TOO_LONG(1009, "the message is too long"),
    FAILED(1011, "the server failed");

    private final short code;
    private final String text;

    CloseReason(int code, String text) {
      this.code = (short) code;
      this.text = text;
    }

    short code() {
      return code;
    }

    String text() {
      return text;
    }
  }
}
