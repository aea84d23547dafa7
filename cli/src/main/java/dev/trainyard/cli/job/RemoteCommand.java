package dev.trainyard.cli.job;

import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.api.WebSocket;
import dev.trainyard.cli.terminal.RawMode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** A command that runs in a task, connected by a WebSocket; docs/api.md describes the messages. */
final class RemoteCommand {
  private static final byte STDIN = 0;
  private static final byte STDOUT = 1;
  private static final byte STDERR = 2;
  private static final byte EXIT = 3;
  private static final byte RESIZE = 4;
  private static final byte END_OF_STREAM = (byte) 255;
  private static final int BUFFER_SIZE = 32 * 1024;

  private final WebSocket socket;

  RemoteCommand(WebSocket socket) {
    this.socket = socket;
  }

  /** Receives output. */
  interface Sink {
    void write(byte[] bytes, int length);
  }

  /** Starts a daemon thread that forwards the input until its end. */
  void sendInput(InputStream input) {
    Thread.ofPlatform()
        .daemon()
        .name("input")
        .start(
            () -> {
              try {
                byte[] buffer = new byte[BUFFER_SIZE];
                for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
                  socket.send(message(STDIN, buffer, count));
                }
                socket.send(new byte[] {END_OF_STREAM, STDIN});
              } catch (IOException e) {
                // The receiving thread gets the error with its reason.
              }
            });
  }

  void resize(RawMode.Size size) {
    byte[] json =
        new Json(Map.of("columns", size.columns(), "rows", size.rows()))
            .text()
            .getBytes(StandardCharsets.UTF_8);
    try {
      socket.send(message(RESIZE, json, json.length));
    } catch (IOException e) {
      // The receiving thread gets the error with its reason.
    }
  }

  /**
   * Prints the output of the command until it exits; returns an empty result if the server closed
   * the connection without an exit code.
   */
  OptionalInt printOutput(Sink out, Sink err) throws IOException {
    for (Optional<byte[]> next = socket.receive(); next.isPresent(); next = socket.receive()) {
      byte[] message = next.get();
      if (message.length == 0) {
        continue;
      }
      byte[] payload = Arrays.copyOfRange(message, 1, message.length);
      switch (message[0]) {
        case STDOUT -> out.write(payload, payload.length);
        case STDERR -> err.write(payload, payload.length);
        case EXIT -> {
          return OptionalInt.of((int) Json.parse(payload).number("exitCode"));
        }
        default -> {
          // A message type of a newer server; ignored.
        }
      }
    }
    return OptionalInt.empty();
  }

  private static byte[] message(byte channel, byte[] bytes, int length) {
    byte[] message = new byte[length + 1];
    message[0] = channel;
    System.arraycopy(bytes, 0, message, 1, length);
    return message;
  }
}
