package dev.trainyard.server.exec;

import java.util.Arrays;

/**
 * The channel of a message. The first byte of a message is the number of its channel; Kubernetes
 * uses the same numbers.
 */
enum Channel {
  STDIN(0),
  STDOUT(1),
  STDERR(2),
  /** Sent once by the server, as its last message: the exit code of the command, in JSON. */
  EXIT(3),
  /** Sent by the client: the new size of the terminal, in JSON. */
  RESIZE(4),
  /** Sent by the client: no more data follows on the channel named by the second byte. */
  END(255);

  private final int number;

  Channel(int number) {
    this.number = number;
  }

  /** Returns the channel of a message; null if the channel is unknown. */
  static Channel of(byte[] message) {
    int channelNumber = message.length == 0 ? -1 : message[0] & 0xFF;
    return Arrays.stream(values())
        .filter(channel -> channel.number == channelNumber)
        .findFirst()
        .orElse(null);
  }

  int number() {
    return number;
  }

  byte[] message(byte[] bytes, int length) {
    byte[] message = new byte[length + 1];
    message[0] = (byte) number;
    System.arraycopy(bytes, 0, message, 1, length);
    return message;
  }
}
