package dev.trainyard.server.http;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A connection on which both sides send messages of bytes (a WebSocket). Thread-safe. */
public interface Socket {
  /** No message that comes in is longer: whoever sends one is hung up on. */
  int LONGEST_MESSAGE = 64 * 1024;

  /**
   * Waits for the next message; empty once the other side has gone or the server ends. What nobody
   * asks for is not read from the connection: the sender has to wait.
   */
  Optional<byte[]> receive() throws IOException;

  /** Sends a message and waits until it has left; throws IOException when the other has gone. */
  void send(byte[] message) throws IOException;

  /**
   * Completed once the other side has gone or the server ends, also while nobody waits for a
   * message. What depends on it must not block.
   */
  CompletionStage<Void> ended();

  /** Hangs up, with a reason for the other side. */
  void close(Ending ending);

  /** Why a connection is closed, by the numbers of RFC 6455. */
  enum Ending {
    DONE(1000, "done"),
    SERVER_ENDS(1001, "the server ends"),
    NOT_UNDERSTOOD(1003, "only binary messages are understood"),
    NO_LONGER_ALLOWED(1008, "the sign-in is no longer valid"),
    TOO_LONG(1009, "the message is too long"),
    FAILED(1011, "the server failed");

    private final short code;
    private final String text;

    Ending(int code, String text) {
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
